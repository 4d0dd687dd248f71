// Positions along a motion curve.

import type { MotionCurve } from "./document";

/** Metres; between samples on the straight line, as it is drawn. */
export function placeAt(curve: MotionCurve, frame: number): [number, number, number] | null {
  const count = curve.positions.length / 3;
  if (count === 0) return null;
  const at = Math.min(Math.max(frame * curve.perFrame, 0), count - 1);
  const first = Math.floor(at);
  const share = at - first;
  const next = Math.min(first + 1, count - 1);
  const part = (axis: number) =>
    (1 - share) * (curve.positions[3 * first + axis] ?? 0) +
    share * (curve.positions[3 * next + axis] ?? 0);
  return [part(0), part(1), part(2)];
}

/** How far two curves are apart at most, in metres, over a range of frames or everywhere. */
export function farthest(
  a: MotionCurve,
  b: MotionCurve,
  frames?: readonly [number, number],
): number {
  const last = Math.min(a.positions.length, b.positions.length) / 3 - 1;
  return most(a, last, frames, (i) => b.positions.subarray(3 * i, 3 * i + 3));
}

/** How far a curve goes from a place, in metres, over a range of frames. */
export function farthestFrom(
  curve: MotionCurve,
  place: ArrayLike<number>,
  frames: readonly [number, number],
): number {
  return most(curve, curve.positions.length / 3 - 1, frames, () => place);
}

function most(
  curve: MotionCurve,
  last: number,
  frames: readonly [number, number] | undefined,
  place: (sample: number) => ArrayLike<number>,
): number {
  const from = frames ? Math.max(0, Math.ceil(frames[0] * curve.perFrame - 1e-6)) : 0;
  const to = frames ? Math.min(last, Math.floor(frames[1] * curve.perFrame + 1e-6)) : last;
  let far = 0;
  for (let i = from; i <= to; i++) {
    const other = place(i);
    const part = (axis: number) => (curve.positions[3 * i + axis] ?? 0) - (other[axis] ?? 0);
    far = Math.max(far, Math.hypot(part(0), part(1), part(2)));
  }
  return far;
}

/** The length of a curve between two frames, in metres. */
export function travelled(curve: MotionCurve, from: number, to: number): number {
  let sum = 0;
  const last = Math.min(Math.floor(to * curve.perFrame + 1e-6), curve.positions.length / 3 - 1);
  for (let i = Math.ceil(from * curve.perFrame - 1e-6); i < last; i++) {
    const [a, b] = [
      curve.positions.subarray(3 * i, 3 * i + 3),
      curve.positions.subarray(3 * i + 3, 3 * i + 6),
    ];
    sum += Math.hypot(
      (b[0] ?? 0) - (a[0] ?? 0),
      (b[1] ?? 0) - (a[1] ?? 0),
      (b[2] ?? 0) - (a[2] ?? 0),
    );
  }
  return sum;
}
