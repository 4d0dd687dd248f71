// Motion cycles on a phone: a touch pad, what is performed, and a record button with count-in.

import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { draw, placeIn } from "../controls/draw";
import { tapped } from "../controls/tap";
import { phoneDevice } from "../devices/registry";
import { samplesOf } from "../gestures/samples";
import { run } from "../state/commands";
import { documentState } from "../state/document";
import { countIn, recordedTime, recording, timerText } from "../state/recording";
import { viewOnly } from "../wire/role";
import { line } from "../wire/socket";
import { chooseItem, chosenItem, itemGroups } from "./performItems";

const BEATS = [0, 2, 4, 8];

export function buildPerformPad(root: HTMLElement): void {
  const pad = placeIn(root, "perform-pad");
  draw(placeIn(pad, "perform-hint"), hint);
  startPad(pad);
  draw(placeIn(root, "perform-foot", "footer"), foot);
}

/** The list of what can be performed. */
export function itemList(): TemplateResult {
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
  </select>`;
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
