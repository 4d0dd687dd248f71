// Strokes curves: Bezier segments between keys, then the extrapolation.

import {
  BEZIER,
  keyAfter,
  keyAt,
  keyCount,
  shrunk,
  slopeBeyond,
  STEP,
  timeAt,
  valueAt,
  type Key,
  type Keyed,
  type Pen,
} from "./curve";

const MOST_ROUNDS = 400; // of a cycle drawn on one side

/** The part between the first and last key, as far as it lies in from .. to (s). */
export function strokeKeyed(curve: Keyed, from: number, to: number, pen: Pen): void {
  const count = keyCount(curve);
  const first = Math.max(0, keyAfter(curve, from) - 1);
  let key = keyAt(curve, first);
  pen.moveTo(key.time, key.value);
  for (let i = first + 1; i < count && key.time <= to; i++) {
    const next = keyAt(curve, i);
    segment(key, next, pen);
    key = next;
  }
}

function segment(from: Key, to: Key, pen: Pen): void {
  if (from.after === STEP) pen.lineTo(to.time, from.value);
  if (from.after !== BEZIER) return pen.lineTo(to.time, to.value);
  const length = to.time - from.time;
  const [outTime, outValue] = shrunk(from.outTime, from.outValue, length);
  const [inTime, inValue] = shrunk(to.inTime, to.inValue, length);
  pen.bezierTo(
    from.time + outTime,
    from.value + outValue,
    to.time - inTime,
    to.value - inValue,
    to.time,
    to.value,
  );
}

/** Where keys lie closer than the screen can show: lowest and highest value of every `step` s. */
export function strokeDense(curve: Keyed, from: number, to: number, step: number, pen: Pen): void {
  const last = Math.min(keyAfter(curve, to) + 1, keyCount(curve));
  let i = Math.max(0, keyAfter(curve, from) - 1);
  pen.moveTo(timeAt(curve, i), keyAt(curve, i).value);
  while (i < last) {
    const begin = timeAt(curve, i);
    let low = Infinity;
    let high = -Infinity;
    for (; i < last && timeAt(curve, i) < begin + step; i++) {
      const value = keyAt(curve, i).value;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    pen.lineTo(begin, low);
    if (high > low) pen.lineTo(begin, high);
  }
}

/** What lies before the first (side 0) or after the last key (1), as far as from .. to. */
export function strokeBeyond(curve: Keyed, side: 0 | 1, from: number, to: number, pen: Pen): void {
  const count = keyCount(curve);
  const first = timeAt(curve, 0);
  const last = timeAt(curve, count - 1);
  if (side ? to <= last : from >= first) return;
  const way = curve.beyond[side];
  if (count < 2 || way === "hold" || way === "linear") {
    const edge = side ? last : first;
    const far = side ? to : from;
    const value = keyAt(curve, side ? count - 1 : 0).value;
    pen.moveTo(edge, value);
    return pen.lineTo(far, value + slopeBeyond(curve, side) * (far - edge));
  }
  const length = last - first;
  const rounds = Math.min(Math.ceil((side ? to - last : first - from) / length), MOST_ROUNDS);
  for (let round = 1; round <= rounds; round++)
    strokeKeyed(curve, -Infinity, Infinity, turned(curve, pen, side ? round : -round));
}

/** A pen that draws the keyed part as its round number `turns`. */
function turned(curve: Keyed, pen: Pen, turns: number): Pen {
  const first = timeAt(curve, 0);
  const last = timeAt(curve, keyCount(curve) - 1);
  const way = curve.beyond[turns > 0 ? 1 : 0];
  const back = way === "mirror" && turns % 2 !== 0;
  const climb = way === "cycle_offset" ? turns * (valueAt(curve, last) - valueAt(curve, first)) : 0;
  const t = (time: number) => (back ? first + last - time : time) + turns * (last - first);
  return {
    moveTo: (time, value) => pen.moveTo(t(time), value + climb),
    lineTo: (time, value) => pen.lineTo(t(time), value + climb),
    bezierTo: (t1, v1, t2, v2, time, value) =>
      pen.bezierTo(t(t1), v1 + climb, t(t2), v2 + climb, t(time), value + climb),
  };
}
