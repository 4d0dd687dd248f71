// Where a point is at a frame, read from its motion curve.

import type { MotionCurve } from "../state/document";

/** Metres; between samples on the straight line, as it is drawn. */
export function placeAt(curve: MotionCurve, frame: number): [number, number, number] | null {
  const count = curve.positions.length / 3;
  if (count === 0) return null;
  const at = Math.min(Math.max(frame * curve.perFrame, 0), count - 1);
  const first = Math.floor(at);
  const share = at - first;
  const next = Math.min(first + 1, count - 1);
  const part = (axis: number) =>
    (1 - share) * (curve.positions[3 * first + axis] ?? 0) + share * (curve.positions[3 * next + axis] ?? 0);
  return [part(0), part(1), part(2)];
}

/** How far two curves are apart at most, in metres, over a range of frames or everywhere. */
export function farthest(a: MotionCurve, b: MotionCurve, frames?: readonly [number, number]): number {
  const last = Math.min(a.positions.length, b.positions.length) / 3 - 1;
  const from = frames ? Math.max(0, Math.ceil(frames[0] * a.perFrame - 1e-6)) : 0;
  const to = frames ? Math.min(last, Math.floor(frames[1] * a.perFrame + 1e-6)) : last;
  let most = 0;
  for (let i = from; i <= to; i++) {
    let sum = 0;
    for (let axis = 0; axis < 3; axis++)
      sum += ((a.positions[3 * i + axis] ?? 0) - (b.positions[3 * i + axis] ?? 0)) ** 2;
    most = Math.max(most, Math.sqrt(sum));
  }
  return most;
}
