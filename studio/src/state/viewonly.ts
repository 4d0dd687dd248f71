// Tells somebody who may only look that this is so, once.

import { effect } from "@preact/signals-core";
import { refusals } from "../wire/role";
import { toast } from "./hear";

const TEXT = "View only: this link lets you look around, play and select, but not change anything.";

export function explainViewOnly(): void {
  const stop = effect(() => {
    if (refusals.value === 0) return;
    toast(TEXT, "said");
    queueMicrotask(() => stop());
  });
}
