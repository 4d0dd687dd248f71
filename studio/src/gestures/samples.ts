// Pointer samples: all that an event carries, kept until they are sent.

import { MathUtils } from "three";
import type { PointerSample } from "../viewport/activeGesture";

/** Every sample of a pointer event, those merged into it included, relative to a box of the page. */
export function samplesOf(
  event: PointerEvent,
  edge: { left: number; top: number },
): PointerSample[] {
  const merged = event.getCoalescedEvents?.() ?? [];
  return (merged.length ? merged : [event]).map((each) => ({
    x: each.clientX - edge.left,
    y: each.clientY - edge.top,
    time: each.timeStamp / 1000,
    pressure: each.pressure,
    tiltX: MathUtils.degToRad(each.tiltX),
    tiltY: MathUtils.degToRad(each.tiltY),
    kind: event.pointerType,
  }));
}

const MOST = 2000; // samples of one message, well below what the server accepts

/** Samples of one gesture until they are sent: none is lost, and times, from 0 on, never fall. */
export class SampleQueue {
  private waiting: PointerSample[] = [];
  private readonly began: number;
  private latest = 0;

  constructor(first: PointerSample) {
    this.began = first.time;
    this.add([first]);
  }

  add(samples: readonly PointerSample[]): void {
    for (const each of samples) {
      this.latest = Math.max(this.latest, each.time - this.began);
      this.waiting.push({ ...each, time: this.latest });
    }
  }

  /** What was added since the last call, in chunks. */
  take(): PointerSample[][] {
    const chunks: PointerSample[][] = [];
    for (let at = 0; at < this.waiting.length; at += MOST)
      chunks.push(this.waiting.slice(at, at + MOST));
    this.waiting = [];
    return chunks;
  }
}
