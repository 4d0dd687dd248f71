// The frames that an edit may change: the options "start" and "end" of a tool, in frames.

import { effect } from "@preact/signals-core";
import { sceneInfo } from "../../state/document";
import { frame, lastFrame, options, playRange, rate, take } from "../../state/view";
import type { PointRef } from "../../wire/messages";
import type { Refusal } from "./refusal";

const LONG = 6; // s; of a longer take only a part around the drag is edited, unless a range is chosen
const LONGEST = 12; // s, of a footplant that is moved as a whole
export const SHORTEST = 2; // frames of a range

interface Span {
  start: number; // s
  end: number;
}

export class EditRange {
  constructor(private readonly tool: string) {}

  /** First and last frame as they were chosen; null where the tool decides. */
  chosen(): [number | null, number | null] {
    const now = options.value[this.tool] ?? {};
    const frames = (seconds: unknown) =>
      typeof seconds === "number" && seconds > 0 ? seconds * rate.value : null;
    return [frames(now["start"]), frames(now["end"])];
  }

  choose(first: number | null, last: number | null): void {
    const seconds = (at: number | null) => (at === null ? 0 : at / rate.peek());
    const now = options.peek();
    const own = { ...now[this.tool], start: seconds(first), end: seconds(last) };
    options.value = { ...now, [this.tool]: own };
  }

  /** From one frame to another; ends of the take are left to the tool where it would take them anyway. */
  chooseFrames(first: number, last: number): void {
    const start = first > 0 ? Math.round(first) : null;
    const open = last >= lastFrame.peek() && (start !== null || !this.isLong());
    this.choose(start, open ? null : Math.round(last));
  }

  /** Whether only a part of the take is edited unless a range is chosen. */
  isLong(): boolean {
    return lastFrame.value / rate.value > LONG;
  }

  isChosen(): boolean {
    return this.chosen().some((end) => end !== null);
  }

  /** The frames that a drag from one frame to another may change. */
  framesAround(at: number, to = at): [number, number] {
    const half = (LONG / 2) * rate.value;
    if (this.isChosen() || !this.isLong()) {
      const [first, last] = this.chosen();
      return [first ?? 0, last ?? lastFrame.value];
    }
    return [Math.max(at - half, 0), Math.min(to + half, lastFrame.value)];
  }

  /** How many frames a drag may change, wherever it is. */
  length(): number {
    const [first, last] = this.chosen();
    const all = (last ?? lastFrame.value) - (first ?? 0);
    return this.isChosen() || !this.isLong() ? all : LONG * rate.value;
  }

  /** The frames over which a drag moves a footplant: all of it, unless it is very long. */
  draggedFrames({ start, end }: Span, at: number): [number, number] {
    const [first, last] = [start * rate.value, end * rate.value];
    return end - start > LONGEST || at < first - 1 || at > last + 1 ? [at, at] : [first, last];
  }

  /** The range of a drag of a footplant where the automatic range would cut it off; else undefined. */
  framesFor(span: Span, at: number): [number, number] | undefined {
    if (this.isChosen() || !this.isLong()) return undefined;
    const [first, last] = this.framesAround(...this.draggedFrames(span, at));
    return [Math.floor(first), Math.ceil(last)];
  }

  /** From the shown frame on; an end that lies before it is dropped. */
  fromHere(): void {
    const at = Math.round(frame.peek());
    const [, last] = this.chosen();
    this.choose(at, last !== null && last > at ? last : null);
  }

  /** Up to the shown frame; a start that lies behind it is dropped. */
  toHere(): void {
    const at = Math.round(frame.peek());
    const [first] = this.chosen();
    this.choose(first !== null && first < at ? first : null, at);
  }

  asPlayed(): void {
    this.chooseFrames(...playRange.peek());
  }

  wholeTake(): void {
    this.chooseFrames(0, lastFrame.peek());
  }

  /** The tool decides: the whole take, or a part around the drag where the take is long. */
  automatic(): void {
    this.choose(null, null);
  }

  automaticText(): string {
    return this.isLong() ? `${LONG} s around the drag` : "the whole take";
  }

  /** A range belongs to one take: it is dropped when another is shown. */
  dropWithTake(): void {
    let about = "";
    effect(() => {
      const now = `${sceneInfo.value?.model}\n${take.value}`;
      if (now !== about) this.automatic();
      about = now;
    });
  }

  /** Why nothing can be dragged at a frame; null where it can. */
  refusal(_: PointRef, at: number): Refusal | null {
    const [first, last] = this.chosen();
    const slack = 1e-6;
    if (at >= (first ?? 0) - slack && at <= (last ?? Infinity) + slack) return null;
    return {
      text: `This frame is outside the edit range, ${Math.round(first ?? 0)}–${Math.round(last ?? lastFrame.peek())}.`,
      press: `Edit ${this.automaticText()}`,
      does: () => this.automatic(),
    };
  }
}
