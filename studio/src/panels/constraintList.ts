// The list of pins, contacts and constraints of the take.

import type { PointConstraintInfo } from "../state/pinsAndContacts";
import { html, nothing, type TemplateResult } from "lit-html";
import { run } from "../state/commands";
import { canApply, constraintsHere } from "../state/constraints";
import { acceptFootplants, footplantStatus, footplantsHere } from "../state/footplants";
import { selectedConstraint, frame, rate } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import { pointConstraintsHere, removeSelected } from "../state/pointConstraints";
import type { ConstraintInfo } from "../wire/messages";
import { constraintRow } from "./constraintRow";
import { icon } from "../controls/icons";
import { keyFor } from "../controls/keyFor";
import { frameRange } from "../controls/text";

const NO_FOOTPLANTS = {
  off: "; footplant detection is off",
  none: ", and no footplants were detected",
  unknown: "",
};

export function constraintList(): TemplateResult {
  const all = pointConstraintsHere();
  const footplants = footplantsHere().length;
  const bounds = constraintsHere();
  if (footplants > 0 || bounds.length > 0)
    return html`${all.length + bounds.length ? rows(all, bounds) : nothing}${footplants ? foundRow(footplants) : nothing}${applyRow()}`;
  if (all.length === 0 && activeTool().overlays.footplants)
    return html`<p class="quiet">
      None yet${NO_FOOTPLANTS[footplantStatus()]}. Select a point, then
      <kbd>${keyFor("constraints.contact")}</kbd> adds a contact; + adds distances, floors, paths
      and more.
    </p>`;
  if (all.length === 0)
    return html`<p class="quiet">
      None yet. Select a point, then <kbd>${keyFor("constraints.pin")}</kbd> pins it and
      <kbd>${keyFor("constraints.contact")}</kbd> adds a contact.
    </p>`;
  return html`${rows(all, [])}${applyRow()}`;
}

export const APPLY =
  "Edits the motion, in one step, so that constraints and pins are met and footplants do not slide";

/** Solves constraints without a drag. */
function applyRow(): TemplateResult | typeof nothing {
  if (!activeTool().solvesConstraints && constraintsHere().length === 0) return nothing;
  return html`<div class="constraint-buttons apply">
    <button
      class="wide"
      title=${APPLY}
      ?disabled=${!canApply()}
      @click=${() => run("constraints.apply")}
    >
      Solve constraints
    </button>
  </div>`;
}

function rows(
  all: readonly PointConstraintInfo[],
  bounds: readonly ConstraintInfo[],
): TemplateResult {
  return html`<div class="rows" role="list" aria-label="Pins, contacts and constraints">
    ${all.map(row)}${bounds.map(constraintRow)}
  </div>`;
}

/** Detected footplants: spacetime edits keep them as they keep contacts. */
function foundRow(count: number): TemplateResult {
  const words = count === 1 ? "1 footplant detected" : `${count} footplants detected`;
  return html`<div class="row-pair">
    <span
      class="row found"
      title="Spacetime edits keep them. Drag or change one, and all of them become contacts"
    >
      ${icon("footplant")}<span class="row-label">${words}</span>
    </span>
    <button class="plain small" title="Turn them into contacts" @click=${acceptFootplants}>
      Accept
    </button>
  </div>`;
}

function row(pointConstraint: PointConstraintInfo): TemplateResult {
  const now = selectedConstraint.value;
  const chosen = now?.kind === pointConstraint.kind && now.index === pointConstraint.index;
  const kind = pointConstraint.kind === "pin" ? "Pin" : "Contact";
  const joint = pointConstraint.point.joint;
  return html`<div class="row-pair covered" role="listitem">
    <button
      class="row constraint-item ${pointConstraint.kind}"
      aria-current=${chosen}
      title="${kind}: ${pointConstraint.name}, frames ${frameRange(pointConstraint.start, pointConstraint.end, rate.value)}"
      @click=${() => goTo(pointConstraint)}
    >
      ${icon(pointConstraint.kind)}<span class="row-label">${joint}</span>
      <span class="row-aside figures"
        >${frameRange(pointConstraint.start, pointConstraint.end, rate.value)}</span
      >
    </button>
    <span class="over">
      <button
        class="plain tiny"
        aria-label="Remove ${kind.toLowerCase()} of ${joint}"
        title="Remove"
        @click=${() => removeSelected(pointConstraint)}
      >
        ${icon("close")}
      </button>
    </span>
  </div>`;
}

function goTo(pointConstraint: PointConstraintInfo): void {
  selectedConstraint.value = { kind: pointConstraint.kind, index: pointConstraint.index };
  const now = frame.peek() / rate.peek();
  if (now < pointConstraint.start || now > pointConstraint.end)
    frame.value = Math.round(pointConstraint.start * rate.peek());
}
