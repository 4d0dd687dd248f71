// The page of a phone: a touch pad and a record button, for one who performs on a shared document.

import { effect } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { draw, placeIn } from "../controls/draw";
import { tapped } from "../controls/tap";
import { deviceOfPage, phoneDevice } from "../devices/registry";
import { addViewportCommands } from "../gestures/commands";
import { addRecordCommands } from "../gestures/recordCommands";
import { samplesOf } from "../gestures/samples";
import { run } from "../state/commands";
import { documentState, welcome } from "../state/document";
import { countIn, recordedTime, recording, timerText } from "../state/recording";
import { tool } from "../state/view";
import { activeTool, startTools } from "../tools/shared/registry";
import { buildStage, type Stage } from "../viewport/stage";
import { viewOnly } from "../wire/role";
import { line } from "../wire/socket";
import { addPanelCommands } from "./commands";
import { buildOverlay } from "./overlay";
import { chooseItem, chosenItem, itemGroups } from "./performItems";
import { startTheme } from "./theme";
import "../style/controls.css";
import "../style/fields.css";
import "../style/perform.css";

const NARROW = "(max-width: 600px)";
const SCALE = "width=device-width, initial-scale=1, maximum-scale=1, viewport-fit=cover";
const BEATS = [0, 2, 4, 8];

/** Whether this window is a phone's: by its link, or as it is narrow. */
export function isPerformPage(): boolean {
  const asked = new URLSearchParams(location.search);
  return asked.has("perform") || (matchMedia(NARROW).matches && !asked.has("studio"));
}

export function buildPerformPage(root: HTMLElement): Stage | null {
  root.classList.add("perform");
  document.querySelector("meta[name=viewport]")?.setAttribute("content", SCALE);
  document.addEventListener("gesturestart", (event) => event.preventDefault()); // a pinch on iOS
  startTheme();
  startTools();
  deviceOfPage.value = phoneDevice;
  draw(placeIn(root, "perform-head", "header"), head);
  const view = placeIn(root, "stage perform-view", "main");
  const stage = buildStage(view);
  if (stage) {
    addViewportCommands(stage);
    addRecordCommands(stage);
  }
  addPanelCommands();
  buildOverlay(view);
  const pad = placeIn(root, "perform-pad");
  draw(placeIn(pad, "perform-hint"), hint);
  startPad(pad);
  draw(placeIn(root, "perform-foot", "footer"), foot);
  effect(() => {
    const able = welcome.value?.tools.find((each) => each.gestures.includes("performance"));
    if (able && !activeTool().gestures.includes("performance")) tool.value = able.name;
    if (able) stage?.opening.dragged(able.name); // its hint is about the studio's mouse
  });
  return stage;
}

function head(): TemplateResult {
  return html`<select
      aria-label="What is performed"
      .value=${live(chosenItem())}
      @change=${(event: Event) => chooseItem((event.target as HTMLSelectElement).value)}
    >
      ${itemGroups().map(
        ({ label, items }) =>
          html`<optgroup label=${label}>
            ${items.map(
              ({ name, text }) =>
                html`<option value=${name} ?selected=${name === chosenItem()}>${text}</option>`,
            )}
          </optgroup>`,
      )}
    </select>
    <a class="perform-studio" href="?studio=1">Studio</a>`;
}

function hint(): TemplateResult {
  const text =
    line.value !== "open"
      ? "Connecting…"
      : viewOnly.value
        ? "View only: performing needs a link that may edit."
        : recording.value?.phase === "recording"
          ? ""
          : "Touch pad: record, then move a finger here, or tilt the phone";
  return html`${text}`;
}

const record = () => run("time.record");

function foot(): TemplateResult {
  const phase = recording.value?.phase;
  const acting = phase !== undefined && phase !== "review";
  const steps = documentState.value?.done.length ?? 0;
  return html`<label class="perform-beats"
      >Count-in
      <select
        aria-label="Count-in"
        ?disabled=${acting}
        @change=${(event: Event) => (countIn.value = Number((event.target as HTMLSelectElement).value))}
      >
        ${BEATS.map(
          (each) =>
            html`<option value=${each} ?selected=${each === countIn.value}>
              ${each === 0 ? "None" : `${each} beats`}
            </option>`,
        )}
      </select></label
    >
    <button
      class="perform-record"
      aria-pressed=${acting}
      aria-label=${acting ? "Stop recording" : "Record"}
      ?disabled=${viewOnly.value || line.value !== "open"}
      @click=${record}
      @touchend=${tapped(record)}
    >
      <span></span>
    </button>
    <span class="perform-side"
      >${
        acting
          ? html`<output>${phase === "recording" ? timerText(recordedTime.value) : ""}</output>`
          : steps
            ? html`<button @click=${() => run("edit.undo")}>Undo</button>`
            : nothing
      }</span
    >`;
}

/** One finger moves; others are left alone. */
function startPad(pad: HTMLElement): void {
  let finger: number | null = null;
  const moved = (event: PointerEvent) => {
    if (event.pointerId === finger) phoneDevice.feed(samplesOf(event, pad.getBoundingClientRect()));
  };
  const lifted = (event: PointerEvent) => {
    if (event.pointerId !== finger) return;
    finger = null;
    pad.toggleAttribute("data-touched", false);
    phoneDevice.lift();
  };
  pad.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    if (finger !== null) return;
    finger = event.pointerId;
    pad.setPointerCapture(event.pointerId);
    pad.toggleAttribute("data-touched", true);
    moved(event);
  });
  pad.addEventListener("pointermove", moved);
  pad.addEventListener("pointerup", lifted);
  pad.addEventListener("pointercancel", lifted);
}
