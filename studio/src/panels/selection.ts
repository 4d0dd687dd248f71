// Selection: the active point, its position and rotation, and buttons to pin it.

import { computed } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { commands, run } from "../state/commands";
import { chosenConstraint } from "../state/constraints";
import { sceneInfo, curves, pointKey } from "../state/document";
import { frame, playing, points } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import { Euler, Quaternion } from "three";
import { moveTo } from "../gestures/moveTo";
import { rotateTo } from "../gestures/rotateTo";
import { jointOf, orientationAt } from "../viewport/motionCurve";
import type { PointRef } from "../wire/messages";
import { viewOnly } from "../wire/role";
import { constraintNumbers } from "./constraintPanel";
import { measureOf } from "../controls/field";
import { icon } from "../controls/icons";
import { keyFor } from "../controls/keyFor";
import { keyFields } from "./keyFields";
import { numberField } from "../controls/numberField";
import { placeAt } from "../state/curvePlace";
import { inUnit } from "../controls/text";

export function selection(): TemplateResult {
  const constraint = chosenConstraint();
  if (constraint) return constraintNumbers(constraint);
  const all = points.value;
  const point = all[all.length - 1];
  if (!point)
    return html`<p class="quiet">
      Click the body, or a joint in the list, to see its motion
      curve${activeTool().dragsCurves ? " and drag it" : ""}.
    </p>`;
  const offset = point.offset ?? [0, 0, 0];
  const far = Math.hypot(...offset) > 1e-4;
  return html`<div class="selected">
      <span class="selected-name">${point.joint}</span>
      ${all.length > 1 ? html`<span class="quiet">+${all.length - 1}</span>` : nothing}
      <button
        class="plain tiny"
        aria-label="Deselect"
        title="Deselect"
        @click=${() => (points.value = [])}
      >
        ${icon("close")}
      </button>
    </div>
    ${whereNow()}${far ? triple("Offset", offset) : nothing}${keyFields()}
    <div class="constraint-buttons">
      ${pointConstraintButton("pin", "Pin")}${pointConstraintButton("contact", "Contact")}
    </div>`;
}

/** While playing, whole frames are often enough for figures. */
const shownFrame = computed(() => (playing.value ? Math.floor(frame.value) : frame.value));

function whereNow(): TemplateResult | typeof nothing {
  const point = points.value[points.value.length - 1];
  if (!point) return nothing;
  const info = curves.value.get(pointKey(point));
  const curve = info?.live ?? info?.still;
  const place = curve ? placeAt(curve, shownFrame.value) : null;
  const turn = curve ? orientationAt(curve, shownFrame.value) : null;
  return html`${place ? position(point, [...place]) : nothing}${turn ? rotation(point, turn) : nothing}`;
}

/** Where the point is; another number moves it there. */
function position(point: PointRef, metres: number[]): TemplateResult {
  const unit = sceneInfo.value?.unit ?? "m";
  const set = (axis: number, to: number) =>
    moveTo(point, frame.peek(), metres.with(axis, to) as [number, number, number]);
  return html`<div
    class="field-row three"
    title="Position in ${unit}; type a number to move the point"
  >
    <span class="field-label">Position</span>
    ${metres.map((each, axis) =>
      numberField({
        label: `Position, ${"xyz"[axis]}`,
        value: each,
        measure: { ...measureOf("m", unit), unit: "" },
        disabled: playing.value || viewOnly.value,
        on: (next) => next !== null && set(axis, next),
      }),
    )}
  </div>`;
}

/** World angles of the joint; another number rotates it. */
function rotation(point: PointRef, turn: Quaternion): TemplateResult {
  const now = new Euler().setFromQuaternion(turn, "YXZ");
  const angles = [now.x, now.y, now.z];
  const set = (axis: number, to: number) => {
    const [x, y, z] = angles.with(axis, to) as [number, number, number];
    rotateTo(
      jointOf(point),
      frame.peek(),
      new Quaternion().setFromEuler(new Euler(x, y, z, "YXZ")),
    );
  };
  return html`<div
    class="field-row three"
    title="World rotation of the joint in degrees; type a number to rotate it"
  >
    <span class="field-label">Rotate</span>
    ${angles.map((angle, axis) =>
      numberField({
        label: `Rotation, ${"xyz"[axis]}`,
        value: angle,
        measure: { ...measureOf("rad", ""), unit: "" },
        disabled: playing.value || viewOnly.value,
        on: (next) => next !== null && set(axis, next),
      }),
    )}
  </div>`;
}

function triple(label: string, metres: readonly number[]): TemplateResult {
  const unit = sceneInfo.value?.unit ?? "m";
  return html`<div class="field-row">
    <span class="field-label">${label}</span>
    <span class="triple figures">
      ${metres.map((each, axis) => html`<span class="axis-${"xyz"[axis]}">${inUnit(each, unit)}</span>`)}
      <span class="unit">${unit}</span>
    </span>
  </div>`;
}

function pointConstraintButton(kind: "pin" | "contact", label: string): TemplateResult {
  const command = commands().find((each) => each.id === `constraints.${kind}`);
  return html`<button
    class="constraint-item ${kind}"
    ?disabled=${!command || !(command.enabled?.() ?? true)}
    title=${command?.label ?? label}
    @click=${() => run(`constraints.${kind}`)}
  >
    ${icon(kind)}${label}<kbd>${keyFor(`constraints.${kind}`)}</kbd>
  </button>`;
}
