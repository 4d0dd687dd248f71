// Names of selected keys, and their identity across an edit.

import { WIDTH } from "./curve";

export type Chosen = ReadonlyMap<number, ReadonlySet<number>>; // by channel

export function keyName(channel: number, key: number): string {
  return `${channel}/${key}`;
}

export function byChannel(names: Iterable<string>): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const name of names) {
    const [channel, key] = name.split("/").map(Number) as [number, number];
    let own = found.get(channel);
    if (!own) found.set(channel, (own = new Set()));
    own.add(key);
  }
  return found;
}

export function pairsOf(names: Iterable<string>): [number, number][] {
  return [...names].map((name) => name.split("/").map(Number) as [number, number]);
}

export interface Followed {
  now: Int32Array; // of every key before, its place now, or -1
  fresh: number[]; // keys that were not there before
}

/**
 * Where the keys of a channel went. Keys that stayed are found by time and value; the others go to
 * the places that are left, in order. Where a moved key has replaced another one, the chosen moved.
 */
export function follow(
  before: Float32Array,
  after: Float32Array,
  chosen: ReadonlySet<number>,
): Followed {
  const now = new Int32Array(before.length / WIDTH).fill(-1);
  const taken = new Uint8Array(after.length / WIDTH);
  pairStill(before, after, now, taken);
  const open = [...taken.keys()].filter((i) => !taken[i]);
  const gone = [...now.keys()].filter((i) => now[i] === -1);
  const moved = gone.length === open.length ? gone : gone.filter((i) => chosen.has(i));
  if (moved.length === open.length) moved.forEach((i, n) => (now[i] = open[n] as number));
  else pairNear(before, after, gone, open, now);
  const found = new Set(now);
  return { now, fresh: open.filter((i) => !found.has(i)) };
}

function pairStill(
  before: Float32Array,
  after: Float32Array,
  now: Int32Array,
  taken: Uint8Array,
): void {
  let i = 0;
  let j = 0;
  while (i < now.length && j < taken.length) {
    const apart = time(after, j) - time(before, i);
    if (same(time(after, j), time(before, i))) {
      if (same(value(before, i), value(after, j))) {
        now[i] = j;
        taken[j] = 1;
      }
      i++;
      j++;
    } else if (apart > 0) i++;
    else j++;
  }
}

/** Some were added or taken away: a key goes to the nearest place with its own value or its own time. */
function pairNear(
  before: Float32Array,
  after: Float32Array,
  gone: number[],
  open: number[],
  now: Int32Array,
): void {
  const left = new Set(open);
  for (const i of gone) {
    const fits = [...left].filter(
      (j) => same(value(before, i), value(after, j)) || same(time(before, i), time(after, j)),
    );
    const far = (j: number) => Math.abs(time(after, j) - time(before, i));
    const best = fits.sort((a, b) => far(a) - far(b))[0];
    if (best === undefined) continue;
    now[i] = best;
    left.delete(best);
  }
}

function time(rows: Float32Array, key: number): number {
  return rows[key * WIDTH] as number;
}

function value(rows: Float32Array, key: number): number {
  return rows[key * WIDTH + 1] as number;
}

function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a));
}
