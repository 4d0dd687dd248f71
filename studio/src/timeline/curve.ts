// The shape of a curve from its keys, for drawing only; the server computes edits.

import type { ExtrapolationType } from "../wire/messages";

export const WIDTH = 9; // numbers per key: time, value, in dt dv, out dt dv, in kind, out kind, interpolation
export const BEZIER = 0;
export const LINEAR = 1;
export const STEP = 2;

export interface Keyed {
  rows: Float32Array; // (K, 9)
  beyond: readonly [ExtrapolationType, ExtrapolationType];
}

export interface Key {
  time: number;
  value: number;
  inTime: number;
  inValue: number;
  outTime: number;
  outValue: number;
  inKind: number;
  outKind: number;
  after: number; // how the segment after the key runs
}

/** Draws in time and value. */
export interface Pen {
  moveTo(time: number, value: number): void;
  lineTo(time: number, value: number): void;
  bezierTo(t1: number, v1: number, t2: number, v2: number, time: number, value: number): void;
}

export function keyCount(curve: Keyed): number {
  return curve.rows.length / WIDTH;
}

export function timeAt(curve: Keyed, key: number): number {
  return curve.rows[key * WIDTH] as number;
}

export function keyAt(curve: Keyed, key: number): Key {
  const [time, value, inTime, inValue, outTime, outValue, inKind, outKind, after] =
    curve.rows.subarray(key * WIDTH, (key + 1) * WIDTH) as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
  return { time, value, inTime, inValue, outTime, outValue, inKind, outKind, after };
}

/** The first key later than a time: 0 to count. */
export function keyAfter(curve: Keyed, time: number): number {
  let low = 0;
  let high = keyCount(curve);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeAt(curve, middle) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A handle longer than its segment counts only as far as the segment reaches, slope kept. */
export function shrunk(time: number, value: number, length: number): [number, number] {
  return time > length ? [length, (value * length) / time] : [time, value];
}

export function valueAt(curve: Keyed, time: number): number {
  const [folded, lift] = fold(curve, time);
  const count = keyCount(curve);
  const next = keyAfter(curve, folded);
  if (next === 0 || next === count) return outside(curve, folded, next === 0 ? 0 : 1) + lift;
  return inside(keyAt(curve, next - 1), keyAt(curve, next), folded) + lift;
}

function inside(from: Key, to: Key, time: number): number {
  const length = to.time - from.time;
  const u = (time - from.time) / length;
  if (from.after === STEP) return from.value;
  if (from.after !== BEZIER) return from.value + u * (to.value - from.value);
  const [outTime, outValue] = shrunk(from.outTime, from.outValue, length);
  const [inTime, inValue] = shrunk(to.inTime, to.inValue, length);
  const at = parameter(outTime / length, inTime / length, u);
  return cubic(at, from.value, from.value + outValue, to.value - inValue, to.value);
}

function cubic(at: number, a: number, b: number, c: number, d: number): number {
  const rest = 1 - at;
  return (
    rest * rest * rest * a + 3 * at * rest * rest * b + 3 * at * at * rest * c + at * at * at * d
  );
}

/** Where on a Bezier segment a share `u` of its time has gone by; its time only ever rises. */
function parameter(out: number, into: number, u: number): number {
  let low = 0;
  let high = 1;
  let at = u;
  for (let step = 0; step < 60 && high - low > 1e-12; step++) {
    const miss = cubic(at, 0, out, 1 - into, 1) - u;
    if (Math.abs(miss) < 1e-13) break;
    if (miss > 0) high = at;
    else low = at;
    const rest = 1 - at;
    const slope = 3 * (rest * rest * out + 2 * at * rest * (1 - into - out) + at * at * into);
    const newton = at - miss / slope;
    at = newton > low && newton < high ? newton : (low + high) / 2;
  }
  return at;
}

/** Slope of the straight line on which a curve goes on; 0 where it holds. */
export function slopeBeyond(curve: Keyed, side: 0 | 1): number {
  const count = keyCount(curve);
  const key = keyAt(curve, side ? count - 1 : 0);
  if (curve.beyond[side] !== "linear" || key.after === STEP) return 0;
  if (key.after === BEZIER) {
    const [time, value] = side ? [key.outTime, key.outValue] : [key.inTime, key.inValue];
    return time > 0 ? value / time : 0;
  }
  if (count < 2) return 0;
  const near = keyAt(curve, side ? count - 2 : 1);
  return (key.value - near.value) / (key.time - near.time);
}

function outside(curve: Keyed, time: number, side: 0 | 1): number {
  const key = keyAt(curve, side ? keyCount(curve) - 1 : 0);
  return key.value + slopeBeyond(curve, side) * (time - key.time);
}

/** Time taken back into the keyed range where the curve cycles, and how much that lifts it. */
function fold(curve: Keyed, time: number): [number, number] {
  const count = keyCount(curve);
  const first = timeAt(curve, 0);
  const last = timeAt(curve, count - 1);
  if (count < 2 || (time >= first && time <= last)) return [time, 0];
  const way = curve.beyond[time > last ? 1 : 0];
  if (way === "hold" || way === "linear") return [time, 0];
  const length = last - first;
  const turns =
    time > last ? Math.ceil((time - last) / length) : Math.floor((time - first) / length);
  const folded = Math.min(Math.max(time - turns * length, first), last);
  if (way === "mirror") return [turns % 2 === 0 ? folded : first + last - folded, 0];
  const climb = keyAt(curve, count - 1).value - keyAt(curve, 0).value;
  return [folded, way === "cycle_offset" ? turns * climb : 0];
}
