// Whole motions: the range of an edit, in frames, and what to say outside it.

import { frame, lastFrame, options, playRange, rate } from "../state/view";
import type { Spot } from "../wire/messages";
import type { Refusal } from "./refusal";

const NAME = "spacetime";

/** First and last frame of the edit as they were chosen; null where the tool decides. */
export function chosenRange(): [number | null, number | null] {
  const now = options.value[NAME] ?? {};
  const frames = (seconds: unknown) => (typeof seconds === "number" && seconds > 0 ? seconds * rate.value : null);
  return [frames(now["start"]), frames(now["end"])];
}

export function chooseRange(first: number | null, last: number | null): void {
  const seconds = (at: number | null) => (at === null ? 0 : at / rate.peek());
  const now = options.peek();
  options.value = { ...now, [NAME]: { ...now[NAME], start: seconds(first), end: seconds(last) } };
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
  const [first, last] = playRange.peek();
  const whole = first <= 0 && last >= lastFrame.peek();
  chooseRange(whole || first <= 0 ? null : first, whole || last >= lastFrame.peek() ? null : last);
}

/** Why nothing can be held at a frame; null where it can. */
export function whyNot(_: Spot, at: number): Refusal | null {
  const [first, last] = chosenRange();
  const slack = 1e-6;
  if (at >= (first ?? 0) - slack && at <= (last ?? Infinity) + slack) return null;
  return {
    text: `This frame lies outside the range that is edited, ${Math.round(first ?? 0)}–${Math.round(last ?? lastFrame.peek())}.`,
    press: "Edit the whole take",
    does: () => chooseRange(null, null),
  };
}
