// A step that moved frames in time: playhead and playback range stay on the moments they showed.

import type { NoteInfo, RetimedInfo } from "../wire/messages";
import { character, frame, range, rate, take } from "./view";

let last: { info: RetimedInfo; steps: number } | null = null; // steps done with it

/** Follows a step that was just done. */
export function followRetimed(info: RetimedInfo, steps: number): void {
  last = { info, steps };
  follow(info, info.before, info.after);
}

/** The history has so many steps now: where the step was undone, the playhead goes back. */
export function followUndo(steps: number, opened: boolean): void {
  if (!last || steps >= last.steps) return;
  const { info } = last;
  if (!opened && steps === last.steps - 1) follow(info, info.after, info.before);
  last = null;
}

function follow(info: RetimedInfo, from: readonly number[], to: readonly number[]): void {
  const own = info.character === character.peek() && info.take === take.peek();
  if (!own && Math.abs(longerBy(info)) < 0.5 / rate.peek()) return; // others play as before
  const moved = (at: number) => movedTime(from, to, at / rate.peek()) * rate.peek();
  const now = frame.peek();
  frame.value = Number.isInteger(now) ? Math.round(moved(now)) : moved(now);
  const played = range.peek();
  if (played) range.value = [Math.round(moved(played[0])), Math.round(moved(played[1]))];
}

/** By how much the take is longer, s. */
function longerBy(info: RetimedInfo): number {
  return info.after.at(-1)! - info.before.at(-1)!;
}

/** Where a time goes, s: linear between given times, shifted after the last. */
export function movedTime(from: readonly number[], to: readonly number[], time: number): number {
  const next = from.findIndex((each) => each > time);
  if (next === 0) return time;
  if (next < 0) return time + to.at(-1)! - from.at(-1)!;
  const share = (time - from[next - 1]!) / (from[next]! - from[next - 1]!);
  return to[next - 1]! + share * (to[next]! - to[next - 1]!);
}

/** What a release did to the timing, for one that was too quick for a note before. */
export function withTimingNote(notes: readonly NoteInfo[], info: RetimedInfo): NoteInfo[] {
  if (notes.some((note) => note.kind === "timing")) return [...notes];
  const amount = Math.abs(longerBy(info));
  const how = longerBy(info) > 0 ? "longer" : "shorter";
  const text =
    amount < 0.005
      ? "Timing: changed within the range; the take keeps its length"
      : `Timing: ${amount.toFixed(2)} s ${how}, later frames shift`;
  return [{ text, kind: "timing", amount, blocker: "" }, ...notes];
}
