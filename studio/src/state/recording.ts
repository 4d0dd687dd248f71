// The recording of a performance, as the page shows it.

import { signal } from "@preact/signals-core";
import type { InteractionPreview } from "./document";
import { kept } from "./view";

export interface RecordingState {
  /** "waiting" for the device, "counting" in, "recording", or "review": kept or discarded next. */
  phase: "waiting" | "counting" | "recording" | "review";
  item: string; // what is performed
  device: string;
}

export const recording = signal<RecordingState | null>(null);
/** s since the recording began; below 0 while it counts in. */
export const recordedTime = signal(0);
/** The preview when the acting ended: until there is another one, the server is at work. */
export const lastSeen = signal<InteractionPreview | null>(null);
/** s from one beat to the next. */
export const beat = signal(0.6);

export const MOST_BEATS = 8;
export const countIn = kept("count_in", 4); // beats
export const metronome = kept<"off" | "count-in" | "always">("metronome", "count-in");

const USUAL_BEAT = 0.6; // s, 100 a minute

/** s from one beat to the next: a loop is a whole number of beats. */
export function beatOf(period: number | null): number {
  if (!period || !(period > 0)) return USUAL_BEAT;
  return period / Math.max(1, Math.round(period / USUAL_BEAT));
}

/** Beats that are left of a count-in, from 1 up; 0 once it is over. */
export function beatsLeft(time: number, length: number): number {
  return time < 0 ? Math.ceil(-time / length - 1e-6) : 0;
}

/** "00:03.2" */
export function timerText(seconds: number): string {
  const tenths = Math.floor(10 * Math.max(seconds, 0) + 1e-6);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(tenths / 600))}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
}
