// The activity of the shown take in the side panel: who takes part, and what happens when.

import { html, nothing, type TemplateResult } from "lit-html";
import { activityHere, eventText, meetings, rateOf } from "../state/activities";
import { section } from "../controls/section";
import { restOverlays } from "../state/restOverlays";
import { activeTraits } from "../state/toolTraits";
import { frame, playing } from "../state/view";
import type { ActivityEventInfo, ActivityInfo } from "../wire/messages";

/** While a tool is active that edits activities. */
export function eventsPart(): TemplateResult | typeof nothing {
  if (!activeTraits().editsActivities) return nothing;
  const here = activityHere.value;
  if (!here)
    return section({
      title: "Events",
      body: () =>
        html`<p class="quiet">
          This take has no activity: nothing says who takes part and what happens when.
        </p>`,
    });
  return section({
    title: "Events",
    aside: html`<span class="count">${here.events.length || ""}</span>`,
    body: () => events(here),
  });
}

function events(here: ActivityInfo): TemplateResult {
  const problem = restOverlays.value?.problem;
  return html`${problem ? html`<p class="quiet" role="alert">${problem}</p>` : nothing}
    <p class="quiet activity-elements">${elements(here)}</p>
    <div class="rows" role="listbox" aria-label="Events of ${here.name}">
      ${here.events.map((each, i) => row(here, each, i))}
    </div>`;
}

/** Props with their anchors, and parts of the body. */
function elements({ name, objects, effectors }: ActivityInfo): string {
  const props = objects.map((each) =>
    each.anchors.length ? `${each.name} (${each.anchors.join(", ")})` : each.name,
  );
  const body = effectors.map((each) => each.name);
  return `${name}: ${[...props, ...body].join(", ")}`;
}

function row(here: ActivityInfo, event: ActivityEventInfo, index: number): TemplateResult {
  const at = Math.round(event.time * rateOf(here));
  const name = eventText(here, index);
  const movable = event.movable.length
    ? `Can be moved: ${event.movable.join(", ")}`
    : "Nothing can be moved";
  return html`<button
    class="row activity-event"
    role="option"
    aria-selected=${Math.round(frame.value) === at}
    title=${movable}
    @click=${() => {
      playing.value = false;
      frame.value = at;
    }}
  >
    <span class="row-label"
      >${name}<span class="quiet activity-meetings">${meetings(event)}</span></span
    >
    <span class="row-aside figures">${at}</span>
  </button>`;
}
