// Overlays of the viewport: notes, messages, progress, the drop zone, an empty scene.

import { html, nothing, type TemplateResult } from "lit-html";
import { run } from "../state/commands";
import { sceneInfo, documentState } from "../state/document";
import { line } from "../wire/socket";
import { draw, placeIn } from "../controls/draw";
import { buildChannelStrip } from "./channelStrip";
import { dropZone, startDrop } from "./drop";
import { jobBars, toastList } from "./messages";
import { noteCard, startNotes } from "./note";
import { countdown, recordStrip } from "./recordStrip";
import { recoveredBar } from "./recovered";
import "../style/overlay.css";

export function buildOverlay(stage: HTMLElement): void {
  startNotes();
  startDrop();
  draw(placeIn(stage, "over-middle"), () => html`${emptyStage()}${countdown()}`);
  draw(placeIn(stage, "over-top"), () => html`${restartedBar()}${recoveredBar()}`);
  const bottom = placeIn(stage, "over-bottom");
  draw(placeIn(bottom, "over-note"), () => html`${noteCard()}`);
  draw(placeIn(bottom, "over-record"), () => html`${recordStrip()}`);
  buildChannelStrip(stage);
  const corner = placeIn(stage, "over-corner");
  draw(placeIn(corner, "toasts"), toastList);
  draw(placeIn(corner, "jobs"), jobBars);
  draw(placeIn(document.body, "over-page"), () => html`${dropZone()}`);
}

function restartedBar(): TemplateResult | typeof nothing {
  if (line.value !== "refused") return nothing;
  return html`<div class="card recovered" role="alert">
    <span
      >The server was restarted: open the new link that it printed in this browser. This window then
      reconnects.</span
    >
  </div>`;
}

function emptyStage(): TemplateResult | typeof nothing {
  if (line.value !== "open" && !sceneInfo.value)
    return html`<p class="empty">
      ${line.value === "lost" ? "No connection to the server. Reconnecting…" : "Connecting…"}
    </p>`;
  if (!sceneInfo.value || sceneInfo.value.rigs.length > 0 || !documentState.value) return nothing;
  return html`<div class="empty">
    <p>The scene is empty.</p>
    <p class="quiet">Drop a BVH or glTF file onto the window, or open a character.</p>
    <button class="main" @click=${() => run("file.open")}>Open…</button>
  </div>`;
}
