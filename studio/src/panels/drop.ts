// A file dragged onto the window: opened, with Shift added to the scene, or put in the place of an object.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { documentState } from "../state/document";
import { canReplace, replaceableAt } from "../gestures/dropOnObject";
import { bringAll, replace } from "./files";

/** A file is over the window, with Shift held or not, and over an object that it can replace. */
const over = signal<{ add: boolean; object: string | null } | null>(null);

export function startDrop(): void {
  let depth = 0; // enter and leave come for every part of the page
  const files = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth += 1;
    over.value ??= whereOf(event);
  });
  addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    const [now, before] = [whereOf(event), over.peek()];
    if (before?.add !== now.add || before.object !== now.object) over.value = now;
  });
  addEventListener("dragleave", (event) => {
    if (files(event) && --depth <= 0) end();
  });
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    const { object } = whereOf(event);
    end();
    const dropped = [...(event.dataTransfer?.files ?? [])];
    if (!dropped.length) return;
    if (object !== null) replace(dropped, object);
    else bringAll(dropped, event.shiftKey);
  });
  const end = () => {
    depth = 0;
    over.value = null;
  };
}

function whereOf(event: DragEvent): { add: boolean; object: string | null } {
  const object = event.shiftKey ? null : replaceableAt(event.clientX, event.clientY);
  return { add: event.shiftKey, object };
}

export function dropZone(): TemplateResult | typeof nothing {
  const now = over.value;
  if (!now) return nothing;
  if (now.object !== null)
    return html`<div class="drop-zone on-object"><p>Drop to swap ${now.object}</p></div>`;
  const onto = canReplace() ? html`<br />Drop on an object to swap it` : nothing;
  const beside = documentState.value
    ? html`<small>Hold Shift to add to the scene${onto}</small>`
    : nothing;
  return html`<div class="drop-zone ${canReplace() ? "clear" : ""}">
    <p>${now.add ? "Drop to add to the scene" : html`Drop to open${beside}`}</p>
  </div>`;
}
