// The role of this window: edit or view only. The server enforces it, too.

import { signal } from "@preact/signals-core";
import type { ClientMessage } from "./messages";
import type { AppendPerformance } from "./performanceFrame";

export const viewOnly = signal(false);
/** How often somebody who may only look tried to change something. */
export const refusals = signal(0);

const LOOKING: ReadonlySet<string> = new Set([
  "Introduce",
  "Subscribe",
  "RequestFrames",
  "RequestKeys",
  "RequestFootplants",
  "RequestRestOverlays",
  "RequestProposedEvents",
]);

/** Whether a message may be sent; counts those that may not. */
export function maySend(message: ClientMessage | AppendPerformance): boolean {
  return LOOKING.has(message.type) || mayEdit();
}

/** Whether anything may be changed; counts what was tried in vain. */
export function mayEdit(): boolean {
  if (viewOnly.peek()) refusals.value = refusals.peek() + 1;
  return !viewOnly.peek();
}
