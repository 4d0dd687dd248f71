// The layers of the shown take, and changes of them.

import { effect, signal } from "@preact/signals-core";
import type { Change, LayerInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { sceneInfo, documentState, takeOf } from "./document";
import { cancelInteraction, commitInteraction, previewChange } from "./interaction";
import { character, take } from "./view";

const CLOSE = 0.003; // of a character's height: how near flattened keys stay

/** From the base up. */
export function layersHere(): readonly LayerInfo[] {
  return takeOf(character.value, take.value)?.layers ?? [];
}

/** The layer that commands are about; the newest unless another was chosen. */
const chosen = signal<{ take: string; layer: number } | null>(null);

export function chosenLayer(): number {
  const count = layersHere().length;
  const now = chosen.value;
  return now && now.take === takeHere() && now.layer < count ? now.layer : count - 1;
}

export function chooseLayer(layer: number): void {
  chosen.value = { take: takeHere(), layer };
}

function takeHere(): string {
  return `${character.value}\n${take.value}`;
}

function at(): { character: string; take: string } {
  return { character: character.peek(), take: take.peek() };
}

function apply(change: Change): void {
  send({ type: "ApplyChange", change });
}

export function mute(layer: number, muted: boolean): void {
  apply({ change: "MuteLayer", ...at(), layer, muted });
}

export function rename(layer: number, name: string): void {
  apply({ change: "RenameLayer", ...at(), layer, name });
}

/** To another place of the stack; one beyond its ends is none. */
export function moveLayer(layer: number, to: number): void {
  if (to < 0 || to >= layersHere().length || to === layer) return;
  apply({ change: "MoveLayer", ...at(), layer, to });
  chooseLayer(to);
}

export function remove(layer: number): void {
  apply({ change: "RemoveLayer", ...at(), layer });
}

export function copy(layer: number): void {
  apply({ change: "CopyLayer", ...at(), layer });
  chooseLayer(layer + 1);
}

export function flattening(of = character.peek(), played = take.peek()): Change {
  const tolerance = CLOSE * (sceneInfo.peek()?.scale ?? 1);
  return { change: "FlattenLayers", character: of, take: played, tolerance };
}

export function flatten(): void {
  apply(flattening());
}

export function bake(): void {
  apply({ change: "BakeLayers", ...at() });
}

/** A weight under the pointer; it applies until the document has changed. */
const sliding = signal<{ layer: number; weight: number } | null>(null);

export function weightOf(layer: number): number {
  const now = sliding.value;
  return now?.layer === layer ? now.weight : (layersHere()[layer]?.weight ?? 1);
}

export function slideWeight(layer: number, weight: number): void {
  sliding.value = { layer, weight };
  previewChange({ change: "SetLayerWeight", ...at(), layer, weight });
}

export function commitWeight(): void {
  commitInteraction();
}

export function cancelWeight(): void {
  if (sliding.peek()) cancelInteraction();
  sliding.value = null;
}

export function startLayers(): void {
  effect(() => {
    void documentState.value;
    sliding.value = null;
  });
}
