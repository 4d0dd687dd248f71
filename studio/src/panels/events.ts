// The activity of the shown take in the side panel: who takes part, and what happens when.

import { html, nothing, type TemplateResult } from "lit-html";
import { activityHere, eventText, meetings, rateOf } from "../state/activities";
import {
  addEffector,
  addEvent,
  addObject,
  beginActivity,
  removeActivity,
  removeElement,
  subjectHere,
} from "../state/activityChanges";
import { icon } from "../controls/icons";
import { openMenu, type MenuItem } from "../controls/menu";
import { section } from "../controls/section";
import { sceneInfo } from "../state/document";
import { restOverlays } from "../state/restOverlays";
import { activeTraits } from "../state/toolTraits";
import { frame, playing, points } from "../state/view";
import type { ActivityEventInfo, ActivityInfo } from "../wire/messages";
import { viewOnly } from "../wire/role";
import { eventDetails } from "./eventDetails";
import { chooseRetargeting } from "./files";
import { detectButton, proposalList } from "./proposals";

/** While a tool is active that edits activities. */
export function eventsPart(): TemplateResult | typeof nothing {
  if (!activeTraits().editsActivities) return nothing;
  const here = activityHere.value;
  if (!here) return section({ title: "Events", body: withoutActivity });
  return section({
    title: "Events",
    aside: html`<span class="count">${here.events.length || ""}</span>
      <button
        class="plain tiny"
        aria-label="Change the activity"
        title="Add or remove who takes part"
        ?disabled=${viewOnly.value}
        @click=${(event: Event) => openElements(event.currentTarget as HTMLElement)}
      >
        ${icon("more")}
      </button>`,
    body: () => events(here),
  });
}

function withoutActivity(): TemplateResult {
  const subject = subjectHere();
  return html`<p class="quiet">
      ${
        subject
          ? "This take has no activity: nothing says who takes part and what happens when."
          : "A prop is chosen. Choose the character under Scene to detect events or to begin an activity."
      }
    </p>
    ${
      subject
        ? html`<div class="event-buttons">
            ${detectButton()}
            <button
              title="Begin with hands, feet, pelvis and all props, and add events yourself"
              ?disabled=${viewOnly.value}
              @click=${beginActivity}
            >
              New activity
            </button>
          </div>`
        : nothing
    }
    ${proposalList()}`;
}

function events(here: ActivityInfo): TemplateResult {
  const problem = restOverlays.value?.problem;
  return html`${problem ? html`<p class="quiet" role="alert">${problem}</p>` : nothing}
    <p class="quiet activity-elements">${elements(here)}</p>
    <div class="rows" role="listbox" aria-label="Events of ${here.name}">
      ${here.events.map((each, i) => row(here, each, i))}
    </div>
    ${eventDetails(here)}
    <div class="event-buttons">
      <button
        title="An event at the playhead: of the selected hand or prop, else of all parts of the body"
        ?disabled=${viewOnly.value || hasEventHere(here)}
        @click=${addEvent}
      >
        Add event
      </button>
      ${detectButton()}
    </div>
    ${proposalList()}`;
}

function hasEventHere(here: ActivityInfo): boolean {
  const now = Math.round(frame.value);
  return here.events.some(({ time }) => Math.round(time * rateOf(here)) === now);
}

function openElements(from: HTMLElement): void {
  const edge = from.getBoundingClientRect();
  openMenu(elementItems(), edge.left, edge.bottom);
}

/** Props and joints to add, and all that can be removed. */
function elementItems(): MenuItem[] {
  const here = activityHere.peek();
  if (!here) return [];
  const props = (sceneInfo.peek()?.rigs ?? []).filter(
    (each) => each.prop && here.objects.every(({ prop }) => prop !== each.name),
  );
  const joints = points
    .peek()
    .filter(({ character }) => (character ?? here.character) === here.character)
    .map(({ joint }) => joint)
    .filter((joint) => here.effectors.every(({ point }) => point.joint !== joint));
  const names = [...here.effectors, ...here.objects].map(({ name }) => name);
  return [
    ...props.map(({ name }) => ({ label: `Add prop ${name}`, run: () => addObject(name) })),
    ...joints.map((joint) => ({ label: `Add joint ${joint}`, run: () => addEffector(joint) })),
    {
      label: "Add another joint: select it first",
      enabled: false,
    },
    {
      label: "Remove from the activity",
      line: true,
      enabled: names.length > 0,
      items: names.map((label) => ({ label, run: () => removeElement(label) })),
    },
    { label: "Retarget to a character…", line: true, run: chooseRetargeting },
    { label: "Remove activity", run: removeActivity },
  ];
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
