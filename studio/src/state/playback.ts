// Playback: advances `frame` with the clock.

import { effect } from "@preact/signals-core";
import { actedPose, takeOf } from "./document";
import { PerformedTime, wrapped } from "./performedTime";
import { character, frame, loopMode, pace, playing, playRange, rate, snap, take } from "./view";

let before = 0;
let forwards = true;
let performed: PerformedTime | null = null; // while something is performed

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

/** Shows a time of the take, and plays on from there. */
export function playFrom(time: number): void {
  frame.value = time * rate.peek();
  playing.value = true;
}

/** Plays the whole take again and again from a time on (s), whatever range and loop mode are chosen. */
export function startPerforming(time: number): PerformedTime {
  performed = new PerformedTime(performance.now() / 1000, time);
  show(time);
  playing.value = true;
  return performed;
}

export function stopPerforming(): void {
  performed = null;
}

function show(time: number): void {
  const duration = takeOf(character.peek(), take.peek())?.duration ?? 0;
  frame.value = wrapped(time, duration) * rate.peek();
}

function begin(now: number): void {
  before = now;
  const [first, last] = playRange.peek();
  if (performed) return void requestAnimationFrame(tick);
  if (frame.peek() < first || frame.peek() >= last) frame.value = first;
  forwards = true;
  requestAnimationFrame(tick);
}

function tick(now: number): void {
  if (!playing.peek()) return;
  const elapsed = Math.min(now - before, 250) / 1000; // a page in the background does not leap
  before = now;
  const acts = actedPose(character.peek()) !== undefined; // its time is shown
  if (performed) {
    const time = performed.advance(now / 1000, pace.peek());
    if (!acts) show(time);
    return void requestAnimationFrame(tick);
  }
  if (acts) return void requestAnimationFrame(tick);
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
