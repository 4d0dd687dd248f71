// The record button of the transport row, with its menu.

import { html, nothing, type TemplateResult } from "lit-html";
import { draw, placeIn } from "../controls/draw";
import { keyFor } from "../controls/keyFor";
import { openMenu } from "../controls/menu";
import { run } from "../state/commands";
import { recording } from "../state/recording";
import { activeTool } from "../tools/shared/registry";
import { viewOnly } from "../wire/role";
import { icon } from "./icons";
import { recordMenu } from "./recordMenu";

export function buildRecordButton(place: HTMLElement): void {
  draw(placeIn(place, "part record"), () => html`${controls()}`);
}

function controls(): TemplateResult | typeof nothing {
  if (!activeTool().gestures.includes("performance") || viewOnly.value) return nothing;
  const phase = recording.value?.phase;
  const acting = phase !== undefined && phase !== "review";
  const does = acting ? "Stop recording" : "Record a performance";
  return html`<button
      class="plain record-button"
      aria-pressed=${acting}
      aria-label=${does}
      title="${does} (${keyFor("time.record")})"
      @click=${() => run("time.record")}
    >
      ${icon(acting ? "stop" : "record")}
    </button>
    <button
      class="plain record-more"
      aria-label="Recording options"
      aria-haspopup="menu"
      title="Device, what is performed, count-in, metronome"
      ?disabled=${acting}
      @click=${openOptions}
    >
      ${icon("more")}
    </button>`;
}

function openOptions(event: MouseEvent): void {
  const button = event.currentTarget as HTMLElement;
  const box = button.getBoundingClientRect();
  if (event.detail > 0) button.blur(); // or the menu would give it the keys when it closes
  openMenu(recordMenu(), box.left, box.bottom + 2);
}
