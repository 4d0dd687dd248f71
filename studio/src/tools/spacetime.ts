// Whole motions: the range of an edit, in frames, and what to say outside it.

import { effect } from "@preact/signals-core";
import { cast, story } from "../state/document";
import { frame, lastFrame, options, playRange, rate, take } from "../state/view";
import { plantsHere } from "../state/plants";
import type { PointRef } from "../wire/messages";
import type { Refusal } from "./refusal";

const NAME = "spacetime";
const LONG = 6; // s; of a longer take a part around the hand is edited, unless a range is chosen
const LONGEST = 12; // s, of a plant that is moved as a whole
export const SHORTEST = 2; // frames of a range
const CLOSEST = 2; // frames from one control value to the next, whatever is asked for
const FEWEST = 5; // spans between them in a range

/** First and last frame of the edit as they were chosen; null where the tool decides. */
export function chosenRange(): [number | null, number | null] {
  const now = options.value[NAME] ?? {};
  const frames = (seconds: unknown) =>
    typeof seconds === "number" && seconds > 0 ? seconds * rate.value : null;
  return [frames(now["start"]), frames(now["end"])];
}

export function chooseRange(first: number | null, last: number | null): void {
  const seconds = (at: number | null) => (at === null ? 0 : at / rate.peek());
  const now = options.peek();
  options.value = { ...now, [NAME]: { ...now[NAME], start: seconds(first), end: seconds(last) } };
}

/** From one frame to another; ends of the take are left to the tool where it would take them anyway. */
export function chooseFrames(first: number, last: number): void {
  const start = first > 0 ? Math.round(first) : null;
  const open = last >= lastFrame.peek() && (start !== null || !isLong());
  chooseRange(start, open ? null : Math.round(last));
}

/** Whether only a part of the take is edited unless a range is chosen. */
export function isLong(): boolean {
  return lastFrame.value / rate.value > LONG;
}

/** The frames that a drag at a frame may change; of what stands for a while, all of that and some before and after. */
export function framesAround(at: number, to = at): [number, number] {
  const half = (LONG / 2) * rate.value;
  if (isChosen() || !isLong()) {
    const [first, last] = chosenRange();
    return [first ?? 0, last ?? lastFrame.value];
  }
  return [Math.max(at - half, 0), Math.min(to + half, lastFrame.value)];
}

function isChosen(): boolean {
  return chosenRange().some((end) => end !== null);
}

/** The closest and widest spacing of detail that is used, in frames: two, or a fifth of what may change. */
export function spacingLimits(): [number, number] {
  const [first, last] = chosenRange();
  const all = (last ?? lastFrame.value) - (first ?? 0);
  const most = (isChosen() || !isLong() ? all : LONG * rate.value) / FEWEST;
  return [Math.min(CLOSEST, most), most];
}

/** From where to where a point is held by a hand on a plant: all of it, unless it stands for very long. */
export function heldFrames(wish: { start: number; end: number }, at: number): [number, number] {
  const [first, last] = [wish.start * rate.value, wish.end * rate.value];
  return wish.end - wish.start > LONGEST || at < first - 1 || at > last + 1
    ? [at, at]
    : [first, last];
}

/** The frames of a drag of a plant where the tool alone would cut the plant off; undefined where it would not. */
export function framesFor(
  wish: { start: number; end: number },
  at: number,
): [number, number] | undefined {
  if (isChosen() || !isLong()) return undefined;
  const [first, last] = framesAround(...heldFrames(wish, at));
  return [Math.floor(first), Math.ceil(last)];
}

/** From the shown frame on; an end that lies before it goes. */
export function fromHere(): void {
  const at = Math.round(frame.peek());
  const [, last] = chosenRange();
  chooseRange(at, last !== null && last > at ? last : null);
}

/** Up to the shown frame; a beginning that lies behind it goes. */
export function toHere(): void {
  const at = Math.round(frame.peek());
  const [first] = chosenRange();
  chooseRange(first !== null && first < at ? first : null, at);
}

/** What is played is what is edited. */
export function asPlayed(): void {
  chooseFrames(...playRange.peek());
}

export function wholeTake(): void {
  chooseFrames(0, lastFrame.peek());
}

/** As the tool decides: all of the take, or what lies around the hand where it is long. */
export function anyRange(): void {
  chooseRange(null, null);
}

export function anyRangeWords(): string {
  return isLong() ? `around the hand, ${LONG} s` : "the whole take";
}

/** Whether a hand on a point takes a plant along: one of its own joint, or of one beside it. */
export function bringsPlant(spot: PointRef, at: number): boolean {
  if (options.peek()[NAME]?.["grab_feet"] !== true) return false;
  const rig = cast.peek()?.rigs.find((each) => each.name === spot.character);
  const joint = rig?.joints.indexOf(spot.joint) ?? -1;
  const time = at / rate.peek();
  return [...(story.peek()?.point_constraints ?? []), ...plantsHere()].some((wish) => {
    const other = rig?.joints.indexOf(wish.point.joint) ?? -1;
    const near = other === joint || rig?.parents[other] === joint || rig?.parents[joint] === other;
    const stands =
      wish.kind !== "pin" &&
      !wish.relative_to &&
      time >= wish.start - 1e-6 &&
      time <= wish.end + 1e-6;
    return (
      stands &&
      near &&
      wish.point.character === spot.character &&
      (!wish.take || wish.take === take.peek())
    );
  });
}

/** A range is about one take: with another one it is forgotten. */
export function startRange(): void {
  let about = "";
  effect(() => {
    const now = `${cast.value?.model}\n${take.value}`;
    if (now !== about) chooseRange(null, null);
    about = now;
  });
}

/** Why nothing can be held at a frame; null where it can. */
export function whyNot(_: PointRef, at: number): Refusal | null {
  const [first, last] = chosenRange();
  const slack = 1e-6;
  if (at >= (first ?? 0) - slack && at <= (last ?? Infinity) + slack) return null;
  return {
    text: `This frame lies outside the range that is edited, ${Math.round(first ?? 0)}–${Math.round(last ?? lastFrame.peek())}.`,
    press: `Edit ${anyRangeWords()}`,
    does: anyRange,
  };
}
