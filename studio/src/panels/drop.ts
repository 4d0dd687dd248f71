// A file dragged onto the window: opened, or with Shift added to the scene.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { documentState } from "../state/document";
import { bring } from "./files";

/** A file is over the window; true where Shift is held. */
const over = signal<{ add: boolean } | null>(null);

export function startDrop(): void {
  let depth = 0; // enter and leave come for every part of the page
  const files = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth += 1;
    over.value ??= { add: event.shiftKey };
  });
  addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    if (over.peek()?.add !== event.shiftKey) over.value = { add: event.shiftKey };
  });
  addEventListener("dragleave", (event) => {
    if (files(event) && --depth <= 0) end();
  });
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    end();
    [...(event.dataTransfer?.files ?? [])].forEach((file, i) =>
      bring(file, event.shiftKey || i > 0),
    );
  });
  const end = () => {
    depth = 0;
    over.value = null;
  };
}

export function dropZone(): TemplateResult | typeof nothing {
  const now = over.value;
  if (!now) return nothing;
  const beside = documentState.value
    ? html`<small>Hold Shift to add to the scene</small>`
    : nothing;
  return html`<div class="drop-zone">
    <p>${now.add ? "Drop to add to the scene" : html`Drop to open${beside}`}</p>
  </div>`;
}
