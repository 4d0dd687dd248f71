// The keys of a row merged into columns: one per time at which any of its channels has a key.

import { BEZIER, keyAt, keyCount, STEP, timeAt, type Keyed } from "./curve";

const SAME = 1e-4; // s; keys this near stand in one column

export interface Columns {
  times: Float64Array; // (T,) s, rising
  first: Int32Array; // (T + 1,) where a column's keys begin
  channel: Int32Array; // (N,)
  key: Int32Array; // (N,)
  /** (T,) what runs from a column to the next: see `RUN`. */
  run: Uint8Array;
}

export const RUN = { none: 0, constant: 1, linear: 2, step: 3 } as const;

export function columnsOf(channels: readonly number[], keys: ReadonlyMap<number, Keyed>): Columns {
  const curves = channels.filter((channel) => keys.has(channel));
  const times = moments(curves.map((channel) => keys.get(channel) as Keyed));
  const count = new Int32Array(times.length + 1);
  const places = curves.map((channel) => placesOf(keys.get(channel) as Keyed, times));
  for (const place of places) for (const at of place) count[at + 1]!++;
  for (let i = 0; i < times.length; i++) count[i + 1]! += count[i]!;
  const total = count[times.length] ?? 0;
  const made = { times, first: count, channel: new Int32Array(total), key: new Int32Array(total) };
  const next = count.slice();
  places.forEach((place, c) =>
    place.forEach((at, key) => {
      const point = next[at]!++;
      made.channel[point] = curves[c] as number;
      made.key[point] = key;
    }),
  );
  const runs = runsOf(
    curves.map((channel) => keys.get(channel) as Keyed),
    places,
    times.length,
  );
  return { ...made, run: runs };
}

/** The column nearest to a time, no further than `reach` s; -1 if there is none. */
export function columnNear(columns: Columns, time: number, reach: number): number {
  const at = columnFrom(columns, time);
  let best = -1;
  let least = reach;
  for (const i of [at - 1, at]) {
    const far = Math.abs((columns.times[i] ?? Infinity) - time);
    if (far <= least) {
      best = i;
      least = far;
    }
  }
  return best;
}

/** The first column not before a time. */
export function columnFrom(columns: Columns, time: number): number {
  let low = 0;
  let high = columns.times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((columns.times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function keysIn(columns: Columns, column: number): [number, number][] {
  const found: [number, number][] = [];
  for (let i = columns.first[column] ?? 0; i < (columns.first[column + 1] ?? 0); i++)
    found.push([columns.channel[i] as number, columns.key[i] as number]);
  return found;
}

function moments(curves: readonly Keyed[]): Float64Array {
  const all = new Float64Array(curves.reduce((sum, curve) => sum + keyCount(curve), 0));
  let n = 0;
  for (const curve of curves) for (let k = 0; k < keyCount(curve); k++) all[n++] = timeAt(curve, k);
  all.sort();
  let kept = 0;
  for (let i = 0; i < n; i++)
    if (kept === 0 || (all[i] as number) - (all[kept - 1] as number) > SAME)
      all[kept++] = all[i] as number;
  return all.slice(0, kept);
}

/** The column of each key of a curve. */
function placesOf(curve: Keyed, times: Float64Array): Int32Array {
  const place = new Int32Array(keyCount(curve));
  let at = 0;
  for (let k = 0; k < place.length; k++) {
    while (at + 1 < times.length && (times[at + 1] as number) <= timeAt(curve, k)) at++;
    place[k] = at;
  }
  return place;
}

/** Held where every channel holds its value; linear or step where every moving one runs so. */
function runsOf(
  curves: readonly Keyed[],
  places: readonly Int32Array[],
  count: number,
): Uint8Array {
  const kinds = [
    new Int32Array(count + 1),
    new Int32Array(count + 1),
    new Int32Array(count + 1),
  ] as const;
  curves.forEach((curve, c) => {
    const place = places[c] as Int32Array;
    mark(kinds[0], 0, place[0] ?? 0);
    mark(kinds[0], place.at(-1) ?? 0, count);
    for (let k = 0; k + 1 < place.length; k++) {
      const kind = runOf(curve, k);
      if (kind !== RUN.none) mark(kinds[kind - 1]!, place[k] as number, place[k + 1] as number);
    }
  });
  const run = new Uint8Array(count);
  let sums = [0, 0, 0];
  for (let i = 0; i + 1 < count; i++) {
    sums = sums.map((sum, n) => sum + (kinds[n]![i] as number));
    const [constant, linear, step] = sums as [number, number, number];
    if (constant === curves.length) run[i] = RUN.constant;
    else if (linear > 0 && constant + linear === curves.length) run[i] = RUN.linear;
    else if (step > 0 && constant + step === curves.length) run[i] = RUN.step;
  }
  return run;
}

function mark(counts: Int32Array, from: number, to: number): void {
  counts[from]!++;
  counts[to]!--;
}

function runOf(curve: Keyed, key: number): number {
  const from = keyAt(curve, key);
  const to = keyAt(curve, key + 1);
  if (from.value === to.value) {
    const flat = from.after !== BEZIER || (from.outValue === 0 && to.inValue === 0);
    if (flat) return RUN.constant;
  }
  if (from.after === BEZIER) return RUN.none;
  return from.after === STEP ? RUN.step : RUN.linear;
}
