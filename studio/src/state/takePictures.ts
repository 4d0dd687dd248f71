// A pose of each take of the chosen character, for the pictures in the list of takes.

import { effect, signal } from "@preact/signals-core";
import type { Frames, TakeInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { documentState, inStep, poses, sceneInfo, takeName } from "./document";
import { character } from "./view";

const AT = 0.4; // of a take: mostly in the midst of what happens
const MOST = 300; // takes of a character that get a picture
const TOGETHER = 8; // pictures that are on their way at once

/** By `takeName(character, take)`. */
export const takePictures = signal<ReadonlyMap<string, Float32Array>>(new Map());
let requested = new Map<string, number>(); // the frame, by the same name

export function startTakePictures(): void {
  effect(() => {
    void sceneInfo.value; // other bodies
    requested = new Map();
    takePictures.value = new Map();
  });
  effect(() => {
    const takes = documentState.value?.takes[character.value] ?? [];
    if (inStep.value && takes.length > 1) requestSome(character.value, takes.slice(0, MOST));
  });
}

function requestSome(name: string, takes: readonly TakeInfo[]): void {
  const known = takePictures.value;
  let waiting = [...requested.keys()].filter((each) => !known.has(each)).length;
  for (const take of takes) {
    const at = takeName(name, take.name);
    if (waiting >= TOGETHER) return;
    if (requested.has(at)) continue;
    waiting++;
    const frame = Math.round(AT * take.duration * take.rate);
    requested.set(at, frame);
    send({
      type: "RequestFrames",
      character: name,
      take: take.name,
      first: frame,
      last: frame,
    });
  }
}

/** Whether a message was meant for pictures alone. */
export function receivePicture(message: Frames, pose: () => Float32Array): boolean {
  const at = takeName(message.character, message.take);
  const [count] = message.arrays[0]?.shape ?? [0];
  const other = message.preview_of !== null || message.without_layers || count !== 1;
  if (other || requested.get(at) !== message.first) return false;
  takePictures.value = new Map(takePictures.peek()).set(at, pose().slice());
  return !poses.peek().get(at)?.frames[message.first]; // else one of those that are played has changed
}
