// The composition of the document: its shot and layers, and how the page shows them.

import { computed, signal } from "@preact/signals-core";
import type { FlowInfo } from "../wire/messages";
import { documentState } from "./document";
import { overlaysNow } from "./restOverlays";
import { activeTraits } from "./toolTraits";
import { options, tool } from "./view";

export type Guides = "none" | "thirds" | "golden";

export const composition = computed<FlowInfo | null>(() => documentState.value?.flow ?? null);
/** The composition, while the active tool works on it and its camera is looked through. */
export const composed = computed(() =>
  activeTraits().composes && throughShot.value ? composition.value : null,
);
/** Whether the shot's camera is looked through while composing. */
export const throughShot = signal(true);
export const guides = signal<Guides>("none");
/** The share of the picture, from the left, that shows how it was before; null for none. */
export const wipe = signal<number | null>(null);

/** The layer that the panel and its handles are about, from the first; the newest unless another is chosen. */
export const chosenLayer = computed(() => {
  const last = (composition.value?.layers.length ?? 0) - 1;
  const number = Number(options.value[tool.value]?.["layer"] ?? 0);
  return number > 0 ? Math.min(number - 1, last) : last;
});

/** Later changes are about this layer; the newest stays the newest. */
export function chooseLayer(index: number): void {
  const last = (composition.peek()?.layers.length ?? 0) - 1;
  const own = { ...options.peek()[tool.peek()], layer: index === last ? 0 : index + 1 };
  options.value = { ...options.peek(), [tool.peek()]: own };
}

/** A curve of an object near the chosen stroke: it follows, or is excluded. */
export interface Follower {
  name: string;
  follows: boolean;
}

export const followers = computed<Follower[]>(() => {
  const found = new Map<string, boolean>();
  for (const each of overlaysNow()) {
    if (each.shape !== "curve" || !each.name) continue;
    if (each.style === "edit") found.set(each.name, true);
    else if (each.style === "reference") found.set(each.name, false);
  }
  return [...found].map(([name, follows]) => ({ name, follows }));
});
