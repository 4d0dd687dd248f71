// Explains once that a link is view-only.

import { effect } from "@preact/signals-core";
import { refusals } from "../wire/role";
import { toast } from "./receive";

const TEXT = "View only: this link can view, play and select, but not change the document.";

export function explainViewOnly(): void {
  let isExplained = false; // several refusals may come at once
  const stop = effect(() => {
    if (refusals.value === 0 || isExplained) return;
    isExplained = true;
    toast(TEXT, "info");
    queueMicrotask(() => stop());
  });
}
