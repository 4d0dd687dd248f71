// Asks the server for what this window needs to draw: poses, keys, motion curves.

import { effect } from "@preact/signals-core";
import { line, say } from "../wire/socket";
import { cast, curves, inStep, keys, poses, spotName, story, takeName, takeOf } from "./document";
import { character, frame, lastFrame, original, points, take } from "./view";

const CHUNK = 240; // frames asked for at once

let asked = new Set<string>();

export function startAsking(): void {
  effect(() => {
    // another cast, or a line that was lost: ask for everything anew
    void cast.value;
    if (line.value !== "open") inStep.value = false;
    asked = new Set();
  });
  effect(askForCurves);
  effect(askForKeys);
  effect(askForPoses);
  effect(askForOriginal);
}

let played = ""; // the take whose curves were asked for last

function askForCurves(): void {
  if (!inStep.value || !take.value || !cast.value) return;
  say({
    type: "Subscribe",
    character: character.value,
    take: take.value,
    points: [...points.value],
  });
  const now = takeName(character.value, take.value);
  keepCurves(now === played ? points.value.map(spotName) : []);
  played = now;
}

/** Of a curve that is not shown no change is told: it would be an old one when it is shown again. */
function keepCurves(names: readonly string[]): void {
  const all = curves.peek();
  const kept = new Map([...all].filter(([name]) => names.includes(name)));
  if (kept.size < all.size) curves.value = kept;
}

function askForKeys(): void {
  if (!inStep.value || !take.value || !cast.value) return;
  if (keys.value.has(takeName(character.value, take.value))) return;
  once(`keys/${character.value}/${take.value}`, () =>
    say({ type: "RequestKeys", character: character.peek(), take: take.peek() }),
  );
}

/** Everyone's poses around the playhead: characters and props play together. */
function askForPoses(): void {
  if (!inStep.value || !cast.value || !story.value) return;
  const here = Math.max(0, Math.min(Math.floor(frame.value), lastFrame.value));
  for (const [name, takes] of Object.entries(story.value.takes)) {
    const playing = takes.find((each) => each.name === take.value) ?? takes[0];
    if (!playing) continue;
    const last = Math.floor(playing.duration * playing.rate + 1e-3);
    const told = poses.value.get(takeName(name, playing.name));
    for (const chunk of [Math.floor(here / CHUNK), Math.floor(here / CHUNK) + 1]) {
      const first = chunk * CHUNK;
      if (first > last || told?.frames[first]) continue;
      once(`poses/${name}/${playing.name}/${chunk}`, () =>
        say({
          type: "RequestFrames",
          character: name,
          take: playing.name,
          first,
          last: first + CHUNK - 1, // beyond the end, too: those are told when the take grows
        }),
      );
    }
  }
}

/** The take without its layers, around the playhead, where it is compared with; anew after every step. */
function askForOriginal(): void {
  const told = story.value && takeOf(character.value, take.value);
  if (!inStep.value || !cast.value || !told?.layers.length || !original.value) return;
  const here = Math.max(0, Math.min(Math.floor(frame.value), lastFrame.value));
  const at = { character: character.value, take: take.value };
  for (const chunk of [Math.floor(here / CHUNK), Math.floor(here / CHUNK) + 1]) {
    const first = chunk * CHUNK;
    const last = Math.min(first + CHUNK - 1, lastFrame.value);
    if (first > last) continue;
    const name = `bare/${story.value?.revision}/${at.character}/${at.take}/${chunk}`;
    once(name, () => say({ type: "RequestFrames", ...at, first, last, without_layers: true }));
  }
}

function once(name: string, ask: () => void): void {
  if (asked.has(name)) return;
  asked.add(name);
  ask();
}
