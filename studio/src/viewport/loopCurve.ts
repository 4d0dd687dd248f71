// Curves of looping takes: where they close, and how the pointer follows one along its own branch.

import { takeOf, type MotionCurve } from "../state/document";
import type { Nearest, Seen } from "./projection";
import { nearestOn } from "./projection";

const GAP = 2; // times the longest step: ends that are nearer than that meet

/** The frames of one turn of a looping take, also of one that travels; 0 where it does not loop. */
export function loopOf({ character, take }: MotionCurve): number {
  const info = takeOf(character, take);
  return info?.loops ? info.duration * info.rate : 0;
}

/** The frames after which a curve is back where it began; 0 where its take does not loop or travels. */
export function periodOf(curve: MotionCurve): number {
  const closes = curve.positions.length >= 9 && endsMeet(curve.positions);
  return closes ? loopOf(curve) : 0;
}

function endsMeet(p: Float32Array): boolean {
  const known = meeting.get(p);
  if (known !== undefined) return known;
  const apart = (i: number, j: number) =>
    Math.hypot(p[i]! - p[j]!, p[i + 1]! - p[j + 1]!, p[i + 2]! - p[j + 2]!);
  let longest = 1e-6;
  for (let i = 3; i < p.length; i += 3) longest = Math.max(longest, apart(i, i - 3));
  const meet = apart(0, p.length - 3) <= GAP * longest;
  meeting.set(p, meet);
  return meet;
}

const meeting = new WeakMap<Float32Array, boolean>(); // by positions, which never change

/** A frame taken back into the loop; as it is where there is none. */
export function wrapped(frame: number, period: number): number {
  return period > 0 ? frame - period * Math.floor(frame / period) : frame;
}

/** How many samples of a curve are drawn: a closed one leaves out those from the end of its period on. */
export function samplesOf(count: number, perFrame: number, period: number): number {
  return period > 0 ? Math.min(Math.ceil(period * perFrame - 1e-3), count) : count;
}

/** The frame at an index of a line of `last + 1` samples; on a closed one, over the seam and on. */
export function frameAlong(at: number, last: number, perFrame: number, period: number): number {
  if (period <= 0) return at / perFrame;
  const turns = Math.floor(at / last);
  const rest = at - turns * last;
  const whole = Math.min(rest, last - 1);
  const final = period - (last - 1) / perFrame; // frames of the step that closes it
  return turns * period + whole / perFrame + (rest - whole) * final;
}

/** The index on the line at a frame: the inverse of `frameAlong` within the first turn. */
export function indexAt(frame: number, last: number, perFrame: number, period: number): number {
  const whole = frame * perFrame;
  if (period <= 0 || whole <= last - 1) return whole;
  return last - 1 + (frame - (last - 1) / perFrame) / (period - (last - 1) / perFrame);
}

const AHEAD = 24; // px along the line that are always looked at
const TWICE = 2; // px along the line for each px from the pointer

/**
 * The place of a line of seen samples that is nearest to the pointer, going on from another place.
 * Only as much of the line is looked at as the pointer may have gone along it: where a line crosses
 * itself, the place stays on its branch. On a closed line, whose last sample is its first, the
 * index goes on rising or falling over the seam.
 */
export function continueOn(
  line: readonly (Seen | null)[],
  from: number,
  x: number,
  y: number,
  closed: boolean,
): number {
  const last = line.length - 1;
  if (last < 1) return from;
  const index = (i: number) =>
    closed ? ((i % last) + last) % last : Math.min(Math.max(i, 0), last);
  const seen = (i: number) => line[index(i)] ?? null;
  const here = between(seen(Math.floor(from)), seen(Math.floor(from) + 1), from - Math.floor(from));
  if (!here) return from;
  const far = TWICE * Math.hypot(here.x - x, here.y - y) + AHEAD;
  const low = reached(seen, from, here, far, -1, closed ? from - last / 2 : 0);
  const high = reached(seen, from, here, far, 1, closed ? from + last / 2 : last);
  const part = Array.from({ length: high - low + 1 }, (_, i) => seen(low + i));
  const found: Nearest | null = nearestOn(part, x, y);
  return found ? low + found.at : from;
}

/** The index up to which a line is looked at in one direction. */
function reached(
  seen: (i: number) => Seen | null,
  from: number,
  here: Seen,
  far: number,
  step: 1 | -1,
  end: number,
): number {
  let at = step > 0 ? Math.floor(from) : Math.ceil(from);
  let [before, gone] = [here, 0];
  while (step * (end - at) >= 1 && gone < far) {
    at += step;
    const next = seen(at);
    if (!next) break;
    gone += Math.hypot(next.x - before.x, next.y - before.y);
    before = next;
  }
  return at;
}

function between(a: Seen | null, b: Seen | null, share: number): Seen | null {
  if (!a || !b) return a;
  const mix = (from: number, to: number) => from + share * (to - from);
  return { x: mix(a.x, b.x), y: mix(a.y, b.y), depth: mix(a.depth, b.depth) };
}

/** Whether a movement goes along a line rather than across it, at an index; across where the line stands still. */
export function goesAlong(
  line: readonly (Seen | null)[],
  at: number,
  dx: number,
  dy: number,
  closed: boolean,
): boolean {
  const last = line.length - 1;
  const index = (i: number) =>
    closed ? ((i % last) + last) % last : Math.min(Math.max(i, 0), last);
  for (let reach = 1; reach <= Math.max(last / 8, 1); reach *= 2) {
    const [a, b] = [line[index(Math.round(at) - reach)], line[index(Math.round(at) + reach)]];
    if (!a || !b) return false;
    const [wx, wy] = [b.x - a.x, b.y - a.y];
    if (Math.hypot(wx, wy) >= 4) return Math.abs(dx * wx + dy * wy) > Math.abs(dx * wy - dy * wx);
  }
  return false;
}
