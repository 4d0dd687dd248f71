// Playback: advances `frame` with the clock.

import { effect } from "@preact/signals-core";
import { frame, loopMode, pace, playing, playRange, rate, snap } from "./view";

let before = 0;
let forwards = true;

export function startPlayback(): void {
  effect(() => {
    if (playing.value) requestAnimationFrame(begin);
  });
}

/** Stops on a whole frame, so that what is edited then is a frame. */
export function pause(): void {
  playing.value = false;
  if (snap.peek()) frame.value = Math.floor(frame.peek());
}

function begin(now: number): void {
  before = now;
  const [first, last] = playRange.peek();
  if (frame.peek() < first || frame.peek() >= last) frame.value = first;
  forwards = true;
  requestAnimationFrame(tick);
}

function tick(now: number): void {
  if (!playing.peek()) return;
  const elapsed = Math.min(now - before, 250) / 1000; // a page in the background does not leap
  before = now;
  const [first, last] = playRange.peek();
  const length = Math.max(last - first, 1e-6);
  let next = frame.peek() + (forwards ? 1 : -1) * elapsed * rate.peek() * pace.peek();
  if (loopMode.peek() === "loop" && next >= last) next = first + ((next - first) % length);
  else if (next >= last || next <= first) {
    if (loopMode.peek() === "once") playing.value = false;
    else if (loopMode.peek() === "pingpong") forwards = next <= first;
    next = Math.min(Math.max(next, first), last);
  }
  frame.value = next;
  requestAnimationFrame(tick);
}
