// Where the frame of a shot lies in the viewport, and where guides divide it.

import type { Guides } from "../state/composition";

const GOLDEN = (3 - Math.sqrt(5)) / 2; // the smaller part of a line that is divided so

/** Where lines divide width and height, as shares. */
export const DIVISIONS: Readonly<Record<Guides, readonly number[]>> = {
  none: [],
  thirds: [1 / 3, 2 / 3],
  golden: [GOLDEN, 1 - GOLDEN],
};

export interface Box {
  x: number; // px
  y: number;
  width: number;
  height: number;
}

/** Where a picture of this shape lies in a viewport that shows all of it. */
export function frameIn(size: { x: number; y: number }, aspect: number): Box {
  const width = Math.min(size.x, size.y * aspect);
  const height = width / aspect;
  return { x: (size.x - width) / 2, y: (size.y - height) / 2, width, height };
}
