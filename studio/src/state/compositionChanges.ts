// Changes of the layers of a composition: each is one step of the history.

import { mayEdit } from "../wire/role";
import { composition } from "./composition";
import {
  beginInteraction,
  cancelInteraction,
  commitInteraction,
  interaction,
  setInteractionOptions,
  type OptionValues,
} from "./interaction";
import { frame, rate, tool } from "./view";

let sliding: number | null = null; // the interaction of a slider that is moved

/** Sets options of one layer, by its place from the first. */
export function setLayer(index: number, values: OptionValues): void {
  if (begin(index) === null) return;
  setInteractionOptions(values);
  commitInteraction();
}

/** Sets options of the composition as a whole. */
export function changeComposition(values: OptionValues): void {
  if (!composition.peek() || !mayEdit()) return;
  beginInteraction(tool.peek(), null, frame.peek() / rate.peek());
  setInteractionOptions(values);
  commitInteraction();
}

/** The same for a slider that is still moved. */
export function slideLayer(index: number, values: OptionValues): void {
  if (sliding === null || interaction.peek()?.id !== sliding) sliding = begin(index);
  if (sliding !== null) setInteractionOptions(values);
}

export function releaseLayer(): void {
  if (sliding !== null && interaction.peek()?.id === sliding) commitInteraction();
  sliding = null;
}

export function cancelLayer(): void {
  if (sliding !== null && interaction.peek()?.id === sliding) cancelInteraction();
  sliding = null;
}

function begin(index: number): number | null {
  if (!composition.peek()?.layers[index] || !mayEdit()) return null;
  const id = beginInteraction(tool.peek(), null, frame.peek() / rate.peek());
  setInteractionOptions({ layer: index + 1 });
  return id;
}
