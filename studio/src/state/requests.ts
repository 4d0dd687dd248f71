// Requests what this window draws: poses, keys, motion curves.

import { effect } from "@preact/signals-core";
import type { ClientInfo } from "../wire/messages";
import { line, send } from "../wire/socket";
import {
  sceneInfo,
  curves,
  inStep,
  keys,
  poses,
  pointKey,
  documentState,
  takeName,
  takeOf,
  welcome,
} from "./document";
import { ownFrame, takePlayed } from "./shownTakes";
import { character, frame, lastFrame, original, points, take } from "./view";

const CHUNK = 240; // frames per request

let requested = new Set<string>();

export function startRequests(): void {
  effect(() => {
    // another scene, or a lost connection: request everything again
    void sceneInfo.value;
    if (line.value !== "open") inStep.value = false;
    requested = new Set();
  });
  effect(requestCurves);
  effect(requestKeys);
  effect(requestPoses);
  effect(requestOriginal);
}

/** Says what this page is, after every connection. */
export function introduce(kind: ClientInfo["kind"]): void {
  effect(() => {
    if (welcome.value) send({ type: "Introduce", kind });
  });
}

let played = ""; // the take whose curves were requested last

function requestCurves(): void {
  if (!inStep.value || !take.value || !sceneInfo.value) return;
  send({
    type: "Subscribe",
    character: character.value,
    take: take.value,
    points: [...points.value],
  });
  const now = takeName(character.value, take.value);
  retainCurves(now === played ? points.value.map(pointKey) : []);
  played = now;
}

/** Drops curves that are not shown: the server sends no changes of them, so they would be outdated. */
function retainCurves(names: readonly string[]): void {
  const all = curves.peek();
  const kept = new Map([...all].filter(([name]) => names.includes(name)));
  if (kept.size < all.size) curves.value = kept;
}

function requestKeys(): void {
  if (!inStep.value || !take.value || !sceneInfo.value) return;
  if (keys.value.has(takeName(character.value, take.value))) return;
  once(`keys/${character.value}/${take.value}`, () =>
    send({ type: "RequestKeys", character: character.peek(), take: take.peek() }),
  );
}

/** Everyone's poses around the playhead: characters and props play together. */
function requestPoses(): void {
  if (!inStep.value || !sceneInfo.value || !documentState.value) return;
  for (const name of Object.keys(documentState.value.takes)) {
    const playing = takePlayed(name);
    if (!playing) continue;
    const last = Math.floor(playing.duration * playing.rate + 1e-3);
    const here = Math.max(0, Math.min(Math.floor(ownFrame(name, frame.value)), last));
    const info = poses.value.get(takeName(name, playing.name));
    for (const chunk of [Math.floor(here / CHUNK), Math.floor(here / CHUNK) + 1]) {
      const first = chunk * CHUNK;
      if (first > last || info?.frames[first]) continue;
      once(`poses/${name}/${playing.name}/${chunk}`, () =>
        send({
          type: "RequestFrames",
          character: name,
          take: playing.name,
          first,
          last: first + CHUNK - 1, // beyond the end, too: they are sent when the take grows
        }),
      );
    }
  }
}

/** The take without its layers, around the playhead, where it is compared with; anew after every step. */
function requestOriginal(): void {
  const info = documentState.value && takeOf(character.value, take.value);
  if (!inStep.value || !sceneInfo.value || !info?.layers.length || !original.value) return;
  const here = Math.max(0, Math.min(Math.floor(frame.value), lastFrame.value));
  const at = { character: character.value, take: take.value };
  for (const chunk of [Math.floor(here / CHUNK), Math.floor(here / CHUNK) + 1]) {
    const first = chunk * CHUNK;
    const last = Math.min(first + CHUNK - 1, lastFrame.value);
    if (first > last) continue;
    const name = `bare/${documentState.value?.revision}/${at.character}/${at.take}/${chunk}`;
    once(name, () => send({ type: "RequestFrames", ...at, first, last, without_layers: true }));
  }
}

function once(name: string, request: () => void): void {
  if (requested.has(name)) return;
  requested.add(name);
  request();
}
