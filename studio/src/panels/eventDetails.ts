// The event at the playhead in the side panel: its name and time, who takes part, what meets what.

import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { frameMeasure } from "../controls/field";
import { icon } from "../controls/icons";
import { numberField } from "../controls/numberField";
import { elementOf, eventText, rateOf } from "../state/activities";
import {
  addPair,
  changeEvent,
  hasRole,
  isObject,
  references,
  removeEvent,
  removePair,
  scaleObject,
  renameEvent,
  setRole,
  type Role,
} from "../state/activityChanges";
import { takeOf } from "../state/document";
import { toast } from "../state/receive";
import { frame } from "../state/view";
import type { ActivityEventInfo, ActivityInfo } from "../wire/messages";
import { viewOnly } from "../wire/role";
import { replaceButtons } from "./replaceObject";

const ROLES: readonly [Role, string, string][] = [
  ["elements", "Part", "takes part in this event"],
  ["movable", "Move", "may be moved at this event"],
  ["scalable", "Scale", "may be scaled at this event"],
  ["replaceable", "Swap", "may be replaced by another prop"],
];

/** Of the event at the shown frame. */
export function eventDetails(here: ActivityInfo): TemplateResult | typeof nothing {
  const now = Math.round(frame.value);
  const index = here.events.findIndex(({ time }) => Math.round(time * rateOf(here)) === now);
  const event = here.events[index];
  if (!event) return nothing;
  return html`<fieldset
    class="event-details"
    aria-label="Event ${eventText(here, index)}"
    ?disabled=${viewOnly.value}
  >
    ${nameAndTime(here, event, index)} ${roles(here, event, index)} ${pairs(here, event, index)}
    ${look(here, event, index)} ${scales(event, index)} ${replaceButtons(event)}
  </fieldset>`;
}

function nameAndTime(here: ActivityInfo, event: ActivityEventInfo, index: number): TemplateResult {
  const rate = rateOf(here);
  const last = Math.floor((takeOf(here.character, here.take)?.duration ?? 0) * rate + 1e-3);
  const rename = (input: HTMLInputElement) => {
    const name = input.value.trim();
    if (name !== event.name) renameEvent(index, name);
  };
  return html`<div class="event-name">
    <input
      aria-label="Name of the event"
      placeholder=${eventText(here, index)}
      maxlength="100"
      autocomplete="off"
      .value=${live(event.name)}
      @change=${(changed: Event) => rename(changed.target as HTMLInputElement)}
      @keydown=${(pressed: KeyboardEvent) => {
        pressed.stopPropagation();
        if (pressed.key === "Enter") (pressed.target as HTMLInputElement).blur();
      }}
    />
    <span
      title="When the event happens; the motion stays. Drag its flag on the timeline to retime it"
      >${numberField({
        label: "Frame of the event",
        value: event.time,
        measure: { ...frameMeasure(rate), digits: 0 },
        low: 0,
        high: last,
        on: (time) => {
          if (time === null) return false;
          const to = Math.round(time * rate);
          if (isTaken(here, index, to)) return false;
          changeEvent(index, { time });
          frame.value = to;
          return true;
        },
      })}</span
    >
    <button
      class="plain tiny"
      aria-label="Remove event"
      title="Remove event"
      @click=${() => removeEvent(index)}
    >
      ${icon("close")}
    </button>
  </div>`;
}

/** Whether another event is at a frame; then a message says so. */
function isTaken(here: ActivityInfo, index: number, at: number): boolean {
  const other = here.events.findIndex((each) => Math.round(each.time * rateOf(here)) === at);
  if (other < 0 || other === index) return false;
  toast(`${eventText(here, other)} is at frame ${at}: two events cannot share a frame.`, "error");
  return true;
}

function roles(here: ActivityInfo, event: ActivityEventInfo, index: number): TemplateResult {
  const elements = [...here.effectors, ...here.objects].map(({ name }) => name);
  const box = (element: string, [role, label, what]: (typeof ROLES)[number]) => {
    if (!isObject(here, element) && (role === "scalable" || role === "replaceable"))
      return html`<td></td>`;
    return html`<td>
      <input
        type="checkbox"
        aria-label="${label} ${element}"
        title="${element} ${what}"
        .checked=${live(hasRole(event, role, element))}
        @change=${(changed: Event) =>
          setRole(index, role, element, (changed.target as HTMLInputElement).checked)}
      />
    </td>`;
  };
  return html`<table class="event-roles">
    <thead>
      <tr>
        <th></th>
        ${ROLES.map(([, label, what]) => html`<th title="The element ${what}">${label}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${elements.map(
        (element) =>
          html`<tr>
            <th scope="row">${element}</th>
            ${ROLES.map((role) => box(element, role))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const words = (reference: string) => reference.replaceAll(".", " ");

function pairs(here: ActivityInfo, event: ActivityEventInfo, index: number): TemplateResult {
  const known = references(here);
  const add = (form: HTMLFormElement) => {
    const [own, other] = [...form.querySelectorAll("select")].map(({ value }) => value);
    if (own && other && elementOf(own) !== elementOf(other)) addPair(index, own, other);
    form.reset();
  };
  const choice = (label: string) =>
    html`<select aria-label=${label}>
      <option value="">…</option>
      ${known.map((each) => html`<option value=${each}>${words(each)}</option>`)}
    </select>`;
  return html`<div class="event-pairs">
    ${event.pairs.map(
      ([own, other]) =>
        html`<div class="row-pair">
          <span class="row found"
            ><span class="row-label">${words(own)} keeps to ${words(other)}</span></span
          >
          <button
            type="button"
            class="plain tiny"
            aria-label="Remove pair of ${words(own)}"
            title="Remove"
            @click=${() => removePair(index, own)}
          >
            ${icon("close")}
          </button>
        </div>`,
    )}
    <form
      class="event-pair"
      @submit=${(sent: SubmitEvent) => {
        sent.preventDefault();
        add(sent.target as HTMLFormElement);
      }}
    >
      ${choice("What keeps its place")}<span>to</span>${choice("What it keeps to")}
      <button type="submit" title="The first keeps its place on the second">Pair</button>
    </form>
  </div>`;
}

/** How many times as large an object becomes. */
function scales(event: ActivityEventInfo, index: number): TemplateResult[] {
  return event.scalable.map(
    (object) =>
      html`<label class="event-look"
        ><span title="The object becomes so many times as large, for the whole take"
          >Scale ${object}</span
        >${numberField({
          label: `Scale ${object}`,
          value: 1,
          measure: { unit: "×", scale: 1, digits: 2, step: 0.1 },
          low: 0.05,
          high: 20,
          on: (factor) => {
            if (factor === null || factor === 1) return false;
            scaleObject(index, object, factor);
            return false; // then this is its size: 1 again
          },
        })}</label
      >`,
  );
}

function look(here: ActivityInfo, event: ActivityEventInfo, index: number): TemplateResult {
  return html`<label class="event-look"
    ><span>Looks at</span>
    <select
      aria-label="Looks at"
      .value=${live(event.look_at)}
      @change=${(changed: Event) =>
        changeEvent(index, { look_at: (changed.target as HTMLSelectElement).value })}
    >
      <option value="" ?selected=${event.look_at === ""}>nothing</option>
      ${references(here).map(
        (each) =>
          html`<option value=${each} ?selected=${event.look_at === each}>${words(each)}</option>`,
      )}
    </select></label
  >`;
}
