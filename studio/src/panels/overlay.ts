// Overlays of the viewport: notes, messages, progress, the drop zone, an empty scene.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { run } from "../state/commands";
import { sceneInfo, documentState } from "../state/document";
import { isPosted, line } from "../wire/socket";
import { draw, placeIn } from "../controls/draw";
import { buildChannelStrip } from "./channelStrip";
import { dropZone, startDrop } from "./drop";
import { jobBars, toastList } from "./messages";
import { noteCard, startNotes } from "./note";
import { countdown, recordStrip } from "./recordStrip";
import { frameRateBar } from "./frameRate";
import { recoveredBar } from "./recovered";
import "../style/overlay.css";

/** Whether somebody has read why there is no live connection. */
const explained = signal(false);

/** `offersFiles`: also bars about files, which would cover the picture of a phone. */
export function buildOverlay(stage: HTMLElement, offersFiles = false): void {
  startNotes();
  startDrop();
  draw(placeIn(stage, "over-middle"), () => html`${emptyStage()}${countdown()}`);
  draw(
    placeIn(stage, "over-top"),
    () =>
      html`${restartedBar()}${blockedBar()}${offersFiles ? html`${recoveredBar()}${frameRateBar()}` : nothing}`,
  );
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

/** iOS refuses sockets with a certificate that it does not trust, also where the page was accepted. */
function blockedBar(): TemplateResult | typeof nothing {
  if (line.value !== "blocked" && (!isPosted.value || explained.value)) return nothing;
  const own = html`This browser refuses the live connection, as it does not trust the studio's
    certificate. Install <a href="./authority.crt">the certificate</a>. On an iPhone then allow it
    under Settings, General, VPN &amp; Device Management, and switch it on under Settings, General,
    About, Certificate Trust Settings. Then reload this page.`;
  const other = html`Something between this browser and the studio blocks the live connection, such
  as a proxy or an extension.`;
  return html`<div class="card recovered" role="alert">
    <span
      >${location.protocol === "https:" ? own : other}
      ${isPosted.value ? "Until then everything works by single requests, with more delay." : nothing}</span
    >
    ${
      isPosted.value
        ? html`<button @click=${() => (explained.value = true)}>Continue</button>`
        : nothing
    }
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
