// Detected events in the side panel: accept or reject one, or all that are sure enough.

import { html, nothing, type TemplateResult } from "lit-html";
import { icon } from "../controls/icons";
import { confidenceText } from "../controls/text";
import { rateOf, activityHere } from "../state/activities";
import {
  accept,
  detectEvents,
  detecting,
  leastConfidence,
  proposalProblem,
  proposals,
  reject,
  sure,
  type Proposal,
} from "../state/proposedEvents";
import { frame, playing, rate } from "../state/view";
import { viewOnly } from "../wire/role";

export function detectButton(): TemplateResult {
  const on = detecting.value;
  return html`<button
    aria-pressed=${on}
    title="Find grabs, releases, stops, turns and reaches in the movement; nothing is changed until you accept them"
    @click=${() => detectEvents(!on)}
  >
    ${on ? "Hide detected" : "Detect events"}
  </button>`;
}

export function proposalList(): TemplateResult | typeof nothing {
  if (!detecting.value) return nothing;
  const problem = proposalProblem();
  if (problem === null) return html`<p class="quiet">Looking for events…</p>`;
  if (problem) return html`<p class="quiet" role="alert">${problem}</p>`;
  if (proposals.value.length === 0)
    return html`<p class="quiet">No further events were found in this movement.</p>`;
  return html`<div class="rows proposals" role="list" aria-label="Detected events">
      ${proposals.value.map(row)}
    </div>
    ${acceptAll()}`;
}

function acceptAll(): TemplateResult {
  const count = sure().length;
  return html`<label class="proposal-limit">
      <span>From ${confidenceText(leastConfidence.value)}</span>
      <input
        type="range"
        min="0"
        max="1"
        step="0.05"
        aria-label="Lowest confidence to accept"
        .value=${String(leastConfidence.value)}
        @input=${(event: Event) =>
          (leastConfidence.value = Number((event.target as HTMLInputElement).value))}
      />
    </label>
    <div class="event-buttons">
      <button ?disabled=${!count || viewOnly.value} @click=${() => accept(sure())}>
        Accept ${count}
      </button>
      <button @click=${() => reject(proposals.peek())}>Reject all</button>
    </div>`;
}

function row(each: Proposal): TemplateResult {
  const here = activityHere.value;
  const fps = here ? rateOf(here) : rate.value;
  const at = Math.round(each.event.time * fps);
  const isSure = each.confidence >= leastConfidence.value - 1e-9;
  return html`<div class="row-pair proposal" role="listitem">
    <button
      class="row activity-event ${isSure ? "" : "unsure"}"
      title="${each.kind}: ${each.event.elements.join(", ")}"
      aria-current=${Math.round(frame.value) === at}
      @click=${() => {
        playing.value = false;
        frame.value = at;
      }}
    >
      <span class="row-label">${each.event.name}</span>
      <span class="row-aside figures">${confidenceText(each.confidence)} · ${at}</span>
    </button>
    <button
      class="plain tiny"
      title="Accept: make it an event of the activity"
      aria-label="Accept ${each.event.name}"
      ?disabled=${viewOnly.value}
      @click=${() => accept([each])}
    >
      ${icon("check")}
    </button>
    <button
      class="plain tiny"
      title="Reject"
      aria-label="Reject ${each.event.name}"
      @click=${() => reject([each])}
    >
      ${icon("close")}
    </button>
  </div>`;
}
