// The properties of the selected constraint.

import { Euler, Quaternion } from "three";
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { middleOf, moved, put, reshaped, sized, sizeOf, THINNEST } from "../constraints/handles";
import { panelFields, valueOf, withValue, type PanelField } from "../constraints/fields";
import { spanOf, withSpan } from "../constraints/kinds";
import { applyConstraints, changeConstraint, removeConstraint } from "../state/constraints";
import { pointKey, sceneInfo } from "../state/document";
import { selectedConstraint, frame, lastFrame, points, rate } from "../state/view";
import { curveOf, sampleAt } from "../viewport/motionCurve";
import type { Constraint, ConstraintInfo, PointRef, Quat, Region, Vec3 } from "../wire/messages";
import { frameMeasure, measureOf, type Measure } from "../controls/field";
import { constraintIcon, icon } from "../controls/icons";
import { counted } from "../controls/text";
import { numberField } from "../controls/numberField";
import { APPLY } from "./constraintList";
import { check } from "./options";

type Put = (constraint: Constraint) => void;

const plain: Measure = measureOf("", "m");
const length = () => measureOf("m", sceneInfo.value?.unit ?? "m");

export function constraintNumbers(info: ConstraintInfo): TemplateResult {
  const { constraint } = info;
  const set: Put = (next) => changeConstraint(info, next);
  return html`<div class="constraint">
    <div class="selected">
      ${constraintIcon(constraint.kind)}<span class="selected-name" title=${info.name}
        >${info.title}</span
      >
      <button
        class="plain tiny"
        aria-label="Deselect constraint"
        title="Deselect"
        @click=${() => (selectedConstraint.value = null)}
      >
        ${icon("close")}
      </button>
    </div>
    ${frames(constraint, set)}${own(info, set)}
    <p class="quiet">
      Spacetime edits keep it. <em>Solve constraints</em> edits the motion to meet it now.
    </p>
    <div class="constraint-buttons">
      <button class="wide" title=${APPLY} @click=${() => applyConstraints(info.character)}>
        Solve constraints
      </button>
      <button class="wide" @click=${() => removeConstraint(info.index)}>Remove</button>
    </div>
  </div>`;
}

function frames(constraint: Constraint, set: Put): TemplateResult {
  const [start, end] = spanOf(constraint);
  const measure: Measure = { ...frameMeasure(rate.value), unit: "", digits: 0 };
  const field = (label: string, value: number, on: (value: number) => void) =>
    numberField({
      label,
      value,
      measure,
      low: 0,
      high: lastFrame.value,
      on: (next) => next !== null && on(next),
    });
  return html`<div class="field-row pair">
    <span class="field-label">Frames</span>
    ${field("Constraint start", start, (value) => set(withSpan(constraint, Math.min(value, end), end)))}
    ${field("Constraint end", end, (value) => set(withSpan(constraint, start, Math.max(value, start))))}
  </div>`;
}

/** The fields of its kind, each with the control of its quantity. */
function own(info: ConstraintInfo, set: Put): TemplateResult[] {
  return panelFields(info.constraint.kind).map((field) => editor(field, info, set));
}

function editor(field: PanelField, info: ConstraintInfo, set: Put): TemplateResult {
  const { constraint } = info;
  const { label, help } = field;
  const value = valueOf(constraint, field.name);
  const put = (next: unknown) => set(withValue(constraint, field.name, next));
  switch (field.editor) {
    case "number":
      return numberRow(field, value as number | null, put);
    case "toggle":
      return labelled(label, help, check(label, value === true, put));
    case "choice":
      return labelled(
        label,
        help,
        choice(
          label,
          String(value),
          field.choices.map((each) => [each, each]),
          put,
        ),
      );
    case "point":
      return pointRow(field, value as PointRef | null, info.character, put);
    case "vector":
      return triple(label, value as Vec3, put, field.quantity === "direction" ? plain : length());
    case "angles":
      return angles(label, value as Quat, put);
    case "region":
      return region(value as Region, put);
    case "path":
      return constraint.kind === "path" ? path(constraint, set) : html``;
  }
}

function numberRow(
  field: PanelField,
  value: number | null,
  on: (value: number | null) => void,
): TemplateResult {
  const { label, low, high, optional, none } = field;
  const measure = measureOf(field.unit, sceneInfo.value?.unit ?? "m");
  const shown = (limit: number | null) => (limit === null ? null : limit * measure.scale);
  const more = optional ? { empty: none || "none" } : {};
  const put = (next: number | null) => (next !== null || optional) && on(next);
  const control = { label, value, measure, low: shown(low), high: shown(high), ...more, on: put };
  return labelled(label, field.help, html`${numberField(control)}`);
}

function labelled(label: string, help: string, control: TemplateResult): TemplateResult {
  return html`<div class="field-row" title=${help}>
    <span class="field-label">${label}</span>${control}
  </div>`;
}

/** The joint of a point; the selected point can take its place. */
function pointRow(
  field: PanelField,
  value: PointRef | null,
  character: string,
  on: (value: PointRef | null) => void,
): TemplateResult {
  const selected = points.value.at(-1);
  const fits = selected && (field.optional || selected.character === character);
  return labelled(
    field.label,
    field.help,
    html`<span class="point-name">${value?.joint ?? field.none}</span> ${
        fits && pointKey(selected) !== (value && pointKey(value))
          ? html`<button
              class="small"
              title="Use ${selected.joint}, which is selected"
              @click=${() => on(selected)}
            >
              Use selected
            </button>`
          : nothing
      }`,
  );
}

/** World angles, in degrees. */
function angles(label: string, [w, x, y, z]: Quat, on: (value: Quat) => void): TemplateResult {
  const now = new Euler().setFromQuaternion(new Quaternion(x, y, z, w), "YXZ");
  const put = ([a, b, c]: Vec3) => {
    const turned = new Quaternion().setFromEuler(new Euler(a, b, c, "YXZ"));
    on([turned.w, turned.x, turned.y, turned.z]);
  };
  return triple(label, [now.x, now.y, now.z], put, measureOf("rad", ""));
}

function region(shape: Region, put: (region: Region) => void): TemplateResult {
  const simple = shape.shape === "box" || shape.shape === "sphere";
  const radius = (next: number | null) =>
    "radius" in shape && put({ ...shape, radius: Math.max(next ?? 0, THINNEST) });
  return html`${
    simple
      ? labelled(
          "Shape",
          "",
          choice(
            "Shape",
            shape.shape,
            [
              ["box", "box"],
              ["sphere", "sphere"],
            ],
            () => put(reshaped(shape)),
          ),
        )
      : nothing
  }
  ${triple("Center", middleOf(shape), (to) => put(moved(shape, to)))}
  ${shape.shape === "box" ? triple("Size", sizeOf(shape), (to) => put(sized(shape, to))) : nothing}
  ${"radius" in shape ? labelled("Radius", "", numberField({ label: "Radius", value: shape.radius, measure: length(), low: 0, on: radius })) : nothing}`;
}

function path(constraint: Extract<Constraint, { kind: "path" }>, set: Put): TemplateResult {
  const now = Math.round(frame.value) / rate.value;
  const near = constraint.times.findIndex((time) => Math.abs(time - now) < 0.5 / rate.value);
  const add = () => {
    const curve = curveOf(constraint.point, false);
    const place = curve && sampleAt(curve, now * rate.peek())?.toArray();
    const at = constraint.times.filter((time) => time < now).length;
    if (!place) return;
    set({
      ...constraint,
      times: constraint.times.toSpliced(at, 0, now),
      positions: constraint.positions.toSpliced(at, 0, place),
    });
  };
  const drop = () =>
    set({
      ...constraint,
      times: constraint.times.toSpliced(near, 1),
      positions: constraint.positions.toSpliced(near, 1),
    });
  return html`<div class="field-row">
      <span class="field-label">${counted(constraint.positions.length, "path point")}</span>
      ${
        near < 0
          ? html`<button
              title="Add a path point at this frame, where the point is now"
              ?disabled=${!curveOf(constraint.point, false)}
              @click=${add}
            >
              Add path point
            </button>`
          : html`<button ?disabled=${constraint.positions.length < 2} @click=${drop}>
              Remove path point
            </button>`
      }
    </div>
    ${near < 0 ? nothing : triple("Position", constraint.positions[near]!, (to) => set({ ...constraint, positions: constraint.positions.with(near, to) }))}`;
}

function choice(
  label: string,
  value: string,
  all: [string, string][],
  on: (value: string) => void,
): TemplateResult {
  return html`<select
    aria-label=${label}
    .value=${live(value)}
    @change=${(event: Event) => on((event.target as HTMLSelectElement).value)}
  >
    ${all.map(([name, words]) => html`<option value=${name} ?selected=${name === value}>${words}</option>`)}
  </select>`;
}

function triple(
  label: string,
  value: Vec3,
  on: (value: Vec3) => void,
  measure: Measure = length(),
): TemplateResult {
  return html`<div class="field-row three">
    <span class="field-label">${label}</span>
    ${[0, 1, 2].map((axis) =>
      numberField({
        label: `${label}, ${"xyz"[axis]}`,
        value: value[axis]!,
        measure: { ...measure, unit: "" },
        on: (next) => next !== null && on(put(value, axis, next)),
      }),
    )}
  </div>`;
}
