// Continues after a successful save.

import { effect } from "@preact/signals-core";
import { lastSaved } from "../state/document";

let stop = () => {};

/** Calls back when the requested save has succeeded; never if it fails. */
export function onceSaved(then?: () => void): void {
  stop();
  const before = lastSaved.peek();
  stop = effect(() => {
    if (lastSaved.value === before) return;
    stop();
    if (then) queueMicrotask(then);
  });
}
