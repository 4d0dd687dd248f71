// What the active tool draws before a gesture, such as the handles that can be dragged.

import { effect, signal } from "@preact/signals-core";
import type { Overlay, RestOverlays } from "../wire/messages";
import { send } from "../wire/socket";
import { documentState, inStep, previews } from "./document";
import { interaction, lastEnd } from "./interaction";
import { activeTraits } from "./toolTraits";
import { tool } from "./view";

/** The latest answer of the server that is about what is shown. */
export const restOverlays = signal<RestOverlays | null>(null);
let awaited = ""; // what was asked for and not answered

export function receiveRestOverlays(info: RestOverlays): void {
  const { tool: name, character, take } = info;
  const about = activeTraits().subject?.();
  if (name !== tool.peek() || about?.character !== character || about.take !== take) return;
  awaited = "";
  restOverlays.value = info;
}

/** Whether what is drawn at rest is that of the document as it is. */
export function restOverlaysLoaded(): boolean {
  return awaited === "";
}

/** All that tools draw now: in previews, else at rest. */
export function overlaysNow(): Overlay[] {
  const drawn = [...previews.value.values()].flatMap((preview) => preview.overlays);
  return drawn.length ? drawn : [...(restOverlays.value?.overlays ?? [])];
}

/** The overlays whose handles this window can drag. */
export function draggableOverlays(): readonly Overlay[] {
  const now = interaction.peek();
  if (now) return previews.peek().get(now.id)?.overlays ?? [];
  return restOverlays.peek()?.overlays ?? [];
}

/** Asks whenever the document or the tool has changed. */
export function startRestOverlays(): void {
  let requested = "";
  effect(() => {
    const traits = activeTraits();
    const about = (traits.drawsAtRest && traits.subject?.()) || null;
    const revision = documentState.value?.revision;
    if (!about) {
      requested = awaited = "";
      restOverlays.value = null;
      return;
    }
    const chosen = traits.restOptions ? { options: traits.restOptions() } : {};
    const moment = traits.restTime ? { time: traits.restTime() } : {};
    const now = JSON.stringify([tool.value, about, chosen, moment, revision]);
    if (!inStep.value || now === requested) return;
    if (!isAbout(about)) restOverlays.value = null;
    requested = awaited = now;
    send({ type: "RequestRestOverlays", tool: tool.value, ...about, ...chosen, ...moment });
  });
  keepCommitted();
}

function isAbout(about: { character: string; take: string }): boolean {
  const shown = restOverlays.peek();
  return (
    shown?.tool === tool.peek() && shown.character === about.character && shown.take === about.take
  );
}

/** What was committed stays as it was previewed until the server has answered. */
function keepCommitted(): void {
  let last: readonly Overlay[] | null = null;
  effect(() => {
    const drawn = [...previews.value.values()].find(({ overlays }) => overlays.length > 0);
    if (drawn) last = drawn.overlays;
    else if (last) {
      const shown = restOverlays.peek();
      if (shown && lastEnd.peek() === "CommitInteraction")
        restOverlays.value = { ...shown, overlays: last.filter(isOfResult) };
      last = null;
    }
  });
}

/** Neither zones around what was held, nor how it was before. */
function isOfResult(overlay: Overlay): boolean {
  return overlay.shape !== "curve" || !(overlay.closed || overlay.style === "reference");
}
