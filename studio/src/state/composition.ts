// The composition of the document: its shot and layers, and how the page shows them.

import { computed, signal } from "@preact/signals-core";
import type { FlowInfo, FlowKeyInfo } from "../wire/messages";
import { documentState } from "./document";
import { overlaysNow } from "./restOverlays";
import { activeTraits } from "./toolTraits";
import { frame, options, rate, tool } from "./view";

export type Guides = "none" | "thirds" | "golden";

const flow = computed<FlowInfo | null>(() => documentState.value?.flow ?? null);
/** The keys of an animated shot by time, s; one for a still. */
export const keyTimes = computed(() => flow.value?.keys.map((key) => key.shot.time) ?? []);
/** The key that is nearest to the shown frame: the one that edits are about. */
export const shownKey = computed(() => {
  const away = keyTimes.value.map((time) => Math.abs(time - frame.value / rate.value));
  return away.indexOf(Math.min(...away));
});
/** The composition as it is at that key. */
export const composition = computed<FlowKeyInfo | null>(
  () => flow.value?.keys[shownKey.value] ?? null,
);
export const lifted = computed(() => flow.value?.lift ?? false);
/** Whether a morph target holds the composition at some key: "Flow", "Flow 2", … */
export function isFlowMorph(name: string): boolean {
  const first = flow.peek()?.morph;
  return first !== undefined && (name === first || new RegExp(`^${first} \\d+$`).test(name));
}
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

/** All curves that are drawn, and those that are hidden. */
export const curveNames = computed<string[]>(() => {
  const drawn = overlaysNow().flatMap((each) =>
    each.shape === "curve" && each.name ? [each.name] : [],
  );
  const hidden = composition.value?.curves.filter((each) => each.hidden) ?? [];
  return [...new Set([...drawn, ...hidden.map((each) => each.name)])].sort();
});

/** Whether the composed shot is a still: nothing in the document moves. */
export const isStill = computed(() => {
  if (!activeTraits().composes || !composition.value || keyTimes.value.length > 1) return false;
  const takes = Object.values(documentState.value?.takes ?? {}).flat();
  return takes.every((take) => take.duration === 0);
});

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
