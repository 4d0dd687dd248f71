// The first view: from the front, with all of a path unless the figure would be too small.

import { MathUtils, Vector3, type Box3 } from "three";
import type { RigInfo } from "../wire/messages";
import { labelOf } from "./mannequin/words";
import { backOf, fit } from "./orbit";
import type { Placed } from "./pose";

const LEAST = 0.38; // of the picture's height: a figure that is smaller is hard to drag
const ROOM = 0.2; // around a figure that the camera follows, of its size, for arms and hints

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

/** A figure with room around it, and all that stands with it unless it would be too small. */
export function closeView(all: Box3, figure: Box3, lens: Lens): Box3 {
  const shown = heightIn(all, figure, lens) >= LEAST ? all : figure;
  return shown.clone().expandByVector(shown.getSize(new Vector3()).multiplyScalar(ROOM / 2));
}

/** The quarter turn about Y from +Z to where a body faces in most poses, by its left and right joints; 0 without such. */
export function facingOf({ joints, parents }: Facing, poses: readonly Placed[]): number {
  const labels = joints.map((joint) => labelOf(joint));
  const right = new Map(labels.map((words, j) => [words.join(" "), j]));
  let [x, z] = [0, 0];
  labels.forEach((words, left) => {
    const other = words.includes("l") ? right.get(words.map(swapped).join(" ")) : undefined;
    if (other === undefined) return;
    const weight = depthOf(parents, left) ** -2; // hips and shoulders, not hands and feet
    for (const placed of poses) {
      x += weight * (placed[16 * left + 12]! - placed[16 * other + 12]!);
      z += weight * (placed[16 * left + 14]! - placed[16 * other + 14]!);
    }
  });
  const quarter = Math.PI / 2;
  return x || z ? quarter * Math.round(Math.atan2(-z, x) / quarter) : 0;
}

/** On which side of a body a joint is mostly: 1 on that to which positive yaw looks, -1 on the other one. */
export function sideOf(joint: number, facing: number, poses: readonly Placed[]): 1 | -1 {
  let off = 0;
  for (const placed of poses) {
    const count = placed.length / 16;
    const across = (j: number) =>
      placed[16 * j + 12]! * Math.cos(facing) - placed[16 * j + 14]! * Math.sin(facing);
    let mean = 0;
    for (let j = 0; j < count; j++) mean += across(j) / count;
    off += across(joint) - mean;
  }
  return off < -1e-6 ? -1 : 1;
}

type Facing = Pick<RigInfo, "joints" | "parents">;

function swapped(word: string): string {
  return word === "l" ? "r" : word;
}

function depthOf(parents: readonly number[], joint: number): number {
  let depth = 1;
  for (let at = parents[joint] ?? -1; at >= 0; at = parents[at] ?? -1) depth++;
  return depth;
}
