// Wishes: the pins, contacts and constraints of the take.

import { html, nothing, type TemplateResult } from "lit-html";
import { run } from "../state/commands";
import { canApply, constraintsHere, removeConstraint } from "../state/constraints";
import { story } from "../state/document";
import { keepPlants, leaveOut, noPlants, plantsHere, type Wish } from "../state/plants";
import { character, chosenWish, frame, rate, take, tool } from "../state/view";
import type { ConstraintInfo, PointConstraintInfo } from "../wire/messages";
import { say } from "../wire/socket";
import { constraintRow } from "./constraintrow";
import { icon } from "./icons";
import { keyFor } from "./keyfor";
import { frameRange } from "./words";

const NO_PLANTS = {
  off: "; footplants are not looked for",
  none: ", and no foot stands still for long",
  unknown: "",
};

/** Those that hold in the take that is shown. */
export function wishesHere(): PointConstraintInfo[] {
  return (story.value?.point_constraints ?? []).filter(
    (each) => !each.take || each.take === take.value,
  );
}

export function wishList(): TemplateResult {
  const all = wishesHere();
  const plants = plantsHere().length;
  const bounds = constraintsHere();
  if (plants > 0 || bounds.length > 0)
    return html`${all.length + bounds.length ? rows(all, bounds) : nothing}${plants ? foundRow(plants) : nothing}${applyRow()}`;
  if (all.length === 0 && tool.value === "spacetime")
    return html`<p class="quiet">
      None yet${NO_PLANTS[noPlants()]}. Select a point, then
      <kbd>${keyFor("wishes.contact")}</kbd> keeps it in contact; + adds distances, floors, paths
      and more.
    </p>`;
  if (all.length === 0)
    return html`<p class="quiet">
      None yet. Select a point, then <kbd>${keyFor("wishes.pin")}</kbd> pins it and
      <kbd>${keyFor("wishes.contact")}</kbd> keeps it in contact.
    </p>`;
  return html`${rows(all, [])}${applyRow()}`;
}

export const APPLY =
  "The motion bends, in one step, so that constraints and pins hold and plants do not slide";

/** Where they can be met without a drag. */
function applyRow(): TemplateResult | typeof nothing {
  if (tool.value !== "spacetime" && constraintsHere().length === 0) return nothing;
  return html`<div class="wish-buttons apply">
    <button
      class="wide"
      title=${APPLY}
      ?disabled=${!canApply()}
      @click=${() => run("wishes.apply")}
    >
      Apply to the motion
    </button>
  </div>`;
}

function rows(
  all: readonly PointConstraintInfo[],
  bounds: readonly ConstraintInfo[],
): TemplateResult {
  return html`<div class="rows" role="listbox" aria-label="Pins, contacts and constraints">
    ${all.map(row)}${bounds.map(constraintRow)}
  </div>`;
}

/** Plants that nobody has noted: they are kept while dragging all the same. */
function foundRow(count: number): TemplateResult {
  const words = count === 1 ? "1 plant found" : `${count} plants found`;
  return html`<div class="row-pair">
    <span
      class="row found"
      title="Drags keep them. Drag or change one, and all of them become contacts"
    >
      ${icon("plant")}<span class="row-label">${words}</span>
    </span>
    <button class="plain small" title="Make contacts of them" @click=${keepPlants}>Keep</button>
  </div>`;
}

function row(wish: PointConstraintInfo): TemplateResult {
  const now = chosenWish.value;
  const chosen = now?.kind === wish.kind && now.index === wish.index;
  const kind = wish.kind === "pin" ? "Pin" : "Contact";
  const joint = wish.point.joint;
  return html`<div class="row-pair covered">
    <button
      class="row wish ${wish.kind}"
      role="option"
      aria-selected=${chosen}
      title="${kind}: ${wish.name}, frames ${frameRange(wish.start, wish.end, rate.value)}"
      @click=${() => goTo(wish)}
    >
      ${icon(wish.kind)}<span class="row-label">${joint}</span>
      <span class="row-aside figures">${frameRange(wish.start, wish.end, rate.value)}</span>
    </button>
    <span class="over">
      <button
        class="plain tiny"
        aria-label="Remove ${kind.toLowerCase()} of ${joint}"
        title="Remove"
        @click=${() => removeWish(wish)}
      >
        ${icon("close")}
      </button>
    </span>
  </div>`;
}

function goTo(wish: PointConstraintInfo): void {
  chosenWish.value = { kind: wish.kind, index: wish.index };
  const now = frame.peek() / rate.peek();
  if (now < wish.start || now > wish.end) frame.value = Math.round(wish.start * rate.peek());
}

export function removeWish(wish: { kind: Wish["kind"] | "constraint"; index: number }): void {
  const { kind, index } = wish;
  if (kind === "constraint") return removeConstraint(index);
  if (kind === "plant") {
    const plant = plantsHere().find((each) => each.index === index);
    if (plant) leaveOut(plant);
    chosenWish.value = null;
    return;
  }
  say({
    type: "ApplyChange",
    change: {
      change: "RemovePointConstraint",
      character: character.peek(),
      take: take.peek(),
      kind,
      index,
    },
  });
  chosenWish.value = null;
}

export function findContacts(): void {
  say({
    type: "ApplyChange",
    change: { change: "DetectContacts", character: character.peek(), take: take.peek() },
  });
}
