// Where keys and handles stand in the graph, and what lies under the pointer there.

import { frameOf, valueOf, xOf, yOf, type TimeAxis, type ValueAxis } from "./axis";
import { keyAfter, keyAt, keyCount, valueAt, type Keyed } from "./curve";
import type { Chosen } from "./trackKeys";
import { LABELS, RULER } from "./layout";

export interface GraphView {
  channels: readonly number[];
  keys: ReadonlyMap<number, Keyed>;
  chosen: Chosen;
  axis: TimeAxis;
  values: ValueAxis;
  rate: number;
  lens: (channel: number) => { scale: number; shift: number };
}

export type Side = 0 | 1; // in, out

export type GraphHit =
  | { part: "handle"; channel: number; key: number; side: Side }
  | { part: "key"; channel: number; key: number }
  | { part: "curve"; channel: number }
  | { part: "empty" };

const REACH = 9; // px
const CURVE_REACH = 6; // px

export function placeOf(
  view: GraphView,
  channel: number,
  time: number,
  value: number,
): [number, number] {
  const { scale, shift } = view.lens(channel);
  return [
    LABELS + xOf(view.axis, time * view.rate),
    RULER + yOf(view.values, value * scale + shift),
  ];
}

/** Time (s) and value of a channel at a place of the sheet. */
export function readAt(view: GraphView, channel: number, x: number, y: number): [number, number] {
  const { scale, shift } = view.lens(channel);
  return [
    frameOf(view.axis, x - LABELS) / view.rate,
    (valueOf(view.values, y - RULER) - shift) / scale,
  ];
}

export function handlePlace(
  view: GraphView,
  channel: number,
  key: number,
  side: Side,
): [number, number] | null {
  const curve = view.keys.get(channel);
  if (!curve || key >= keyCount(curve)) return null;
  const at = keyAt(curve, key);
  return side
    ? placeOf(view, channel, at.time + at.outTime, at.value + at.outValue)
    : placeOf(view, channel, at.time - at.inTime, at.value - at.inValue);
}

export function hitGraph(view: GraphView, x: number, y: number): GraphHit {
  return hitHandle(view, x, y) ?? hitKey(view, x, y) ?? hitCurve(view, x, y) ?? { part: "empty" };
}

function hitHandle(view: GraphView, x: number, y: number): GraphHit | null {
  let best: GraphHit | null = null;
  let least = REACH;
  for (const channel of view.channels)
    for (const key of view.chosen.get(channel) ?? [])
      for (const side of [0, 1] as const) {
        const at = handlePlace(view, channel, key, side);
        const own = view.keys.get(channel);
        if (!at || !own) continue;
        const { time, value } = keyAt(own, key);
        const [kx, ky] = placeOf(view, channel, time, value);
        if (Math.hypot(at[0] - kx, at[1] - ky) < 3) continue; // lies in its key
        const far = Math.hypot(at[0] - x, at[1] - y);
        if (far < least && far < Math.hypot(kx - x, ky - y)) {
          best = { part: "handle", channel, key, side };
          least = far;
        }
      }
  return best;
}

function hitKey(view: GraphView, x: number, y: number): GraphHit | null {
  let best: GraphHit | null = null;
  let least = REACH;
  for (const channel of view.channels) {
    const curve = view.keys.get(channel);
    if (!curve) continue;
    const [from, to] = [x - REACH, x + REACH].map((each) => readAt(view, channel, each, y)[0]) as [
      number,
      number,
    ];
    for (
      let key = keyAfter(curve, from);
      key < keyCount(curve) && keyAt(curve, key).time <= to;
      key++
    ) {
      const { time, value } = keyAt(curve, key);
      const [kx, ky] = placeOf(view, channel, time, value);
      const chosen = view.chosen.get(channel)?.has(key) ? 0.5 : 0; // of two at one place, the chosen one
      const far = Math.hypot(kx - x, ky - y) - chosen;
      if (far < least) {
        best = { part: "key", channel, key };
        least = far;
      }
    }
  }
  return best;
}

function hitCurve(view: GraphView, x: number, y: number): GraphHit | null {
  let best: GraphHit | null = null;
  let least = CURVE_REACH;
  for (const channel of view.channels) {
    const curve = view.keys.get(channel);
    if (!curve) continue;
    // a steep curve is also met from the side
    for (const off of [-3, -1.5, 0, 1.5, 3]) {
      const [time] = readAt(view, channel, x + off, y);
      const far = Math.hypot(placeOf(view, channel, time, valueAt(curve, time))[1] - y, off);
      if (far >= least) continue;
      best = { part: "curve", channel };
      least = far;
    }
  }
  return best;
}

export function graphKeysInBox(
  view: GraphView,
  box: { x0: number; y0: number; x1: number; y1: number },
): [number, number][] {
  const [left, right] = [Math.min(box.x0, box.x1), Math.max(box.x0, box.x1)];
  const [top, bottom] = [Math.min(box.y0, box.y1), Math.max(box.y0, box.y1)];
  const found: [number, number][] = [];
  for (const channel of view.channels) {
    const curve = view.keys.get(channel);
    if (!curve) continue;
    const to = readAt(view, channel, right, top)[0];
    const from = readAt(view, channel, left, top)[0];
    for (let key = keyAfter(curve, from - 1e-6); key < keyCount(curve); key++) {
      const { time, value } = keyAt(curve, key);
      if (time > to) break;
      const y = placeOf(view, channel, time, value)[1];
      if (y >= top && y <= bottom) found.push([channel, key]);
    }
  }
  return found;
}
