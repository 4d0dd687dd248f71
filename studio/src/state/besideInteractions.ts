// Interactions of this window beside its first one: further controllers hold further puppets.

import { signal } from "@preact/signals-core";
import type { PointRef } from "../wire/messages";
import type { AppendPerformance } from "../wire/performanceFrame";
import { send } from "../wire/socket";
import { discardPreview } from "./discardPreview";
import { awaitSolve, nextInteraction, optionsOf } from "./interaction";
import { takeShown } from "./shownTakes";

/** Those that are going on, with the character that each of them holds. */
export const besideInteractions = signal<ReadonlyMap<number, string>>(new Map());

export function beginBeside(tool: string, point: PointRef, time: number): number {
  const id = nextInteraction();
  const character = point.character ?? "";
  send({
    type: "BeginInteraction",
    interaction: id,
    tool,
    character,
    take: takeShown(character),
    options: optionsOf(tool),
    accept_footplants: false,
    point,
    channels: [],
    time,
  });
  besideInteractions.value = new Map(besideInteractions.peek()).set(id, character);
  return id;
}

export function appendBeside(id: number, samples: Omit<AppendPerformance, "interaction">): void {
  send({ ...samples, interaction: id });
}

export function endBeside(id: number, ending: "CommitInteraction" | "CancelInteraction"): void {
  if (!besideInteractions.peek().has(id)) return;
  send({ type: ending, interaction: id });
  if (ending === "CommitInteraction") awaitSolve(id);
  else discardPreview(id);
  forgetBeside(id);
}

/** It has ended, here or on the server. */
export function forgetBeside(id: number): void {
  const others = new Map(besideInteractions.peek());
  if (others.delete(id)) besideInteractions.value = others;
}
