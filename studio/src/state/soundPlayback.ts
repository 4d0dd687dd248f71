// The sound is heard in step with the playhead: as it plays, and in short bits where it is scrubbed.

import { effect } from "@preact/signals-core";
import { interaction } from "./interaction";
import { scrubs, sound, soundBuffer, soundStart } from "./sound";
import { frame, pace, playing, rate } from "./view";

const APART = 0.08; // s that sound and picture may drift apart
const BIT = 0.09; // s heard at a frame that is scrubbed to
const FADE = 0.006; // s at both ends of it, against clicks
const BACK = 8; // frames: playback that goes back by less runs backwards, by more begins anew

let context: AudioContext | null = null;
let running: { source: AudioBufferSourceNode; at: number; from: number; pace: number } | null =
  null;
let before = 0; // the frame that was shown last
/** How often a sound was begun: for tests. */
export const begun = { playing: 0, scrubbed: 0 };

export function startSoundPlayback(): void {
  effect(() => {
    const now = frame.value;
    const heard = soundBuffer.value && !sound.value?.muted;
    const back = before - now;
    if (!heard || (playing.value && back > 0 && back < BACK)) stop();
    else if (playing.value) follow(soundBuffer.value!, now / rate.peek() - soundStart.value);
    else {
      stop();
      if (back !== 0 && scrubs.peek() && !interaction.peek()) scrub(soundBuffer.value!, now);
    }
    before = now;
  });
}

/** Where in the sound it is heard now, s; null while it is silent. */
export function heardAt(): number | null {
  if (!running || !context) return null;
  return running.from + (context.currentTime - running.at) * running.pace;
}

/** What plays, where the browser lets pages be heard: not before the first click or key. */
function output(): AudioContext | null {
  if (!navigator.userActivation.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

function follow(buffer: AudioBuffer, time: number): void {
  const heard = heardAt();
  const drift = heard === null ? Infinity : Math.abs(heard - time) / pace.peek();
  if (running?.pace === pace.value && drift < APART) return;
  stop();
  const to = output();
  if (!to || time >= buffer.duration) return;
  const source = to.createBufferSource();
  source.buffer = buffer;
  source.playbackRate.value = pace.peek();
  source.connect(to.destination);
  source.start(to.currentTime + Math.max(-time, 0) / pace.peek(), Math.max(time, 0));
  running = { source, at: to.currentTime, from: time, pace: pace.peek() };
  begun.playing++;
}

function stop(): void {
  running?.source.stop();
  running = null;
}

function scrub(buffer: AudioBuffer, now: number): void {
  const time = now / rate.peek() - soundStart.peek();
  const to = time >= 0 && time < buffer.duration ? output() : null;
  if (!to) return;
  const source = to.createBufferSource();
  const gain = to.createGain();
  const [start, end] = [to.currentTime, to.currentTime + BIT];
  source.buffer = buffer;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(1, start + FADE);
  gain.gain.setValueAtTime(1, end - FADE);
  gain.gain.linearRampToValueAtTime(0, end);
  source.connect(gain).connect(to.destination);
  source.start(start, time, BIT);
  begun.scrubbed++;
}
