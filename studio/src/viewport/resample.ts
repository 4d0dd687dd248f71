// Resamples motion curves for the screen, so that fast motion looks smooth.

import type { MotionCurve } from "../state/document";

const BETWEEN = 3; // pieces between two samples
const ENOUGH = 4000; // samples of curves that are left alone

export interface Drawn {
  positions: Float32Array; // (N, 3)
  at: Float32Array; // (N,) frame of each
  speeds: Float32Array; // (N,) from 0 to 1
}

/** A curve through all samples, with corners only at keys. */
export function smoothed(curve: MotionCurve, rate: number): Drawn {
  const count = curve.positions.length / 3;
  const pieces = count * BETWEEN > ENOUGH ? 1 : BETWEEN;
  const total = count > 0 ? (count - 1) * pieces + 1 : 0;
  const drawn = {
    positions: new Float32Array(3 * total),
    at: new Float32Array(total),
    speeds: new Float32Array(total),
  };
  const corners = new Set(curve.keys.map((time) => Math.round(time * rate * curve.perFrame)));
  const top = curve.speeds.reduce((most, each) => Math.max(most, each), 1e-9);
  for (let n = 0; n < total; n++) {
    const i = Math.min(Math.floor(n / pieces), count - 1);
    const share = (n - i * pieces) / pieces;
    const next = Math.min(i + 1, count - 1);
    for (let k = 0; k < 3; k++)
      drawn.positions[3 * n + k] = between(curve.positions, i, share, k, corners, count);
    drawn.at[n] = (i + share) / curve.perFrame;
    drawn.speeds[n] =
      ((1 - share) * (curve.speeds[i] ?? 0) + share * (curve.speeds[next] ?? 0)) / top;
  }
  return drawn;
}

/** The cubic between samples i and i + 1 whose slopes are those of the neighbours; a corner has none beyond it. */
function between(
  p: Float32Array,
  i: number,
  share: number,
  k: number,
  corners: ReadonlySet<number>,
  count: number,
): number {
  const a = p[3 * i + k]!;
  if (share === 0) return a;
  const b = p[3 * (i + 1) + k]!;
  const before = i === 0 || corners.has(i) ? 2 * a - b : p[3 * (i - 1) + k]!;
  const after = i + 2 >= count || corners.has(i + 1) ? 2 * b - a : p[3 * (i + 2) + k]!;
  const [out, into] = [(b - before) / 2, (after - a) / 2];
  const [s, t] = [share, share * share];
  const u = t * s;
  return (2 * u - 3 * t + 1) * a + (u - 2 * t + s) * out + (3 * t - 2 * u) * b + (u - t) * into;
}
