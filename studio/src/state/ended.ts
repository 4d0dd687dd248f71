// How a hand's tries are taken off the page.

import { batch } from "@preact/signals-core";
import * as doc from "./document";

/** Hands of this window that forgot what they did: what is still on its way about them is void. */
export const forgotten = new Set<number>();

/** A hand forgets: the page does not wait for the server to agree. */
export function forgetHand(hand: number): void {
  forgotten.add(hand);
  batch(() => endHand(hand));
}

/** What a hand had only tried is void; what it kept has come as ordinary messages before. */
export function endHand(hand: number): void {
  const rest = new Map(doc.hands.peek());
  rest.delete(hand);
  doc.hands.value = rest;
  doc.liveKeys.value = new Map();
  doc.livePoses.value = new Map();
  doc.curves.value = new Map(
    [...doc.curves.peek()].map(([name, curve]) => [name, { still: curve.still, live: null }]),
  );
}
