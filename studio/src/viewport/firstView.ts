// How much of a path the first view frames: all, unless the figure would be too small.

import { MathUtils, Vector3, type Box3 } from "three";
import { backOf, fit } from "./orbit";

const LEAST = 0.38; // of the picture's height: a figure that is smaller is hard to drag

export interface Lens {
  yaw: number;
  pitch: number;
  fov: number; // degrees
  aspect: number;
}

/** The largest of boxes that grow with the way ahead, in whose view the figure is large enough; or the first. */
export function firstView(ways: readonly Box3[], figure: Box3, lens: Lens): Box3 | undefined {
  return ways.findLast((box) => heightIn(box, figure, lens) >= LEAST) ?? ways[0];
}

/** How high a figure is in the picture of a box, as a share of the picture's height. */
export function heightIn(box: Box3, figure: Box3, lens: Lens): number {
  const nearer = figure
    .getCenter(new Vector3())
    .sub(box.getCenter(new Vector3()))
    .dot(backOf(lens));
  const away = Math.max(fit(box, lens, lens.fov, lens.aspect) - nearer, 1e-6);
  const height = (figure.max.y - figure.min.y) * Math.cos(lens.pitch);
  return height / (2 * away * Math.tan(MathUtils.degToRad(lens.fov) / 2));
}
