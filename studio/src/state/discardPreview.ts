// Removes the previews of an interaction from the page.

import { batch } from "@preact/signals-core";
import * as doc from "./document";

/** Cancelled interactions of this window: messages about them that are still on their way are ignored. */
export const cancelled = new Set<number>();

/** Cancels the preview at once, without waiting for the server. */
export function discardPreview(id: number): void {
  cancelled.add(id);
  batch(() => clearPreview(id));
}

/** Drops the notes of a preview: they were about less than there is now. */
export function discardNotes(id: number): void {
  const shown = doc.previews.peek().get(id);
  if (shown?.notes.length)
    doc.previews.value = new Map(doc.previews.peek()).set(id, { ...shown, notes: [] });
}

/** Clears previews; what was committed has arrived as ordinary messages before. Of somebody else's interaction, where this window has one, too, what this window previews stays. */
export function clearPreview(id: number, keepsOwn = false): void {
  const rest = new Map(doc.previews.peek());
  rest.delete(id);
  doc.previews.value = rest;
  if (keepsOwn) return;
  doc.liveKeys.value = new Map();
  doc.livePoses.value = new Map();
  doc.curves.value = new Map(
    [...doc.curves.peek()].map(([name, curve]) => [name, { still: curve.still, live: null }]),
  );
}
