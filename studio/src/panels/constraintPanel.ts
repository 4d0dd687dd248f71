// The properties of the selected constraint.

import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { middleOf, moved, put, reshaped, sized, sizeOf } from "../constraints/grips";
import { spanOf, titleOf, withSpan } from "../constraints/kinds";
import { applyConstraints, changeConstraint, removeConstraint } from "../state/constraints";
import { sceneInfo } from "../state/document";
import { selectedConstraint, frame, lastFrame, rate } from "../state/view";
import { curveOf, sampleAt } from "../viewport/motionCurve";
import type { Constraint, ConstraintInfo, Vec3 } from "../wire/messages";
import { frameMeasure, measureOf, type Measure } from "../controls/field";
import { icon } from "../controls/icons";
import { counted } from "../controls/text";
import { numberField } from "../controls/numberField";
import { APPLY } from "./constraintList";

type Put = (constraint: Constraint) => void;

const length = () => measureOf("m", sceneInfo.value?.unit ?? "m");

export function constraintNumbers(info: ConstraintInfo): TemplateResult {
  const { constraint } = info;
  const set: Put = (next) => changeConstraint(info, next);
  return html`<div class="constraint">
    <div class="selected">
      ${icon(constraint.kind)}<span class="selected-name" title=${info.name}
        >${titleOf(constraint)}</span
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
    ${frames(constraint, set)}${own(constraint, set)}
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

function own(constraint: Constraint, set: Put): TemplateResult | typeof nothing {
  switch (constraint.kind) {
    case "apart":
      return maybe(
        "Distance",
        constraint.size,
        length(),
        "as is",
        (size) => set({ ...constraint, size }),
        0,
      );
    case "floor":
      return maybe("Height", constraint.height, length(), "lowest", (height) =>
        set({ ...constraint, height }),
      );
    case "balance":
      return maybe(
        "Support",
        constraint.around,
        length(),
        null,
        (around) => set({ ...constraint, around: around ?? 0 }),
        0,
      );
    case "flight":
      return maybe("Gravity", constraint.gravity, measureOf("m/s²", "m"), "as is", (gravity) =>
        set({ ...constraint, gravity }),
      );
    case "stay":
      return region(constraint, set);
    case "follow":
      return path(constraint, set);
    default:
      return nothing;
  }
}

function maybe(
  label: string,
  value: number | null,
  measure: Measure,
  empty: string | null,
  on: (value: number | null) => void,
  low: number | null = null,
): TemplateResult {
  return html`<div class="field-row">
    <span class="field-label">${label}</span>
    ${numberField({ label, value, measure, low, ...(empty === null ? {} : { empty }), on })}
  </div>`;
}

function region(constraint: Extract<Constraint, { kind: "stay" }>, set: Put): TemplateResult {
  const { region: shape, inside } = constraint;
  const put = (next: typeof shape) => set({ ...constraint, region: next });
  const simple = shape.shape === "box" || shape.shape === "ball";
  return html`<div class="field-row">
      <span class="field-label">Point stays</span>
      ${choice(
        "Point stays",
        inside ? "in" : "out",
        [
          ["in", "inside"],
          ["out", "outside"],
        ],
        (value) => set({ ...constraint, inside: value === "in" }),
      )}
    </div>
    ${
      simple
        ? html`<div class="field-row">
            <span class="field-label">Shape</span>
            ${choice(
              "Shape",
              shape.shape,
              [
                ["box", "box"],
                ["ball", "sphere"],
              ],
              () => put(reshaped(shape)),
            )}
          </div>`
        : nothing
    }
    ${triple("Center", middleOf(shape), (to) => put(moved(shape, to)))}
    ${shape.shape === "box" ? triple("Size", sizeOf(shape), (to) => put(sized(shape, to))) : nothing}
    ${"radius" in shape ? maybe("Radius", shape.radius, length(), null, (radius) => put({ ...shape, radius: Math.max(radius ?? 0, 0.01) }), 0) : nothing}`;
}

function path(constraint: Extract<Constraint, { kind: "follow" }>, set: Put): TemplateResult {
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
      places: constraint.places.toSpliced(at, 0, place),
    });
  };
  const drop = () =>
    set({
      ...constraint,
      times: constraint.times.toSpliced(near, 1),
      places: constraint.places.toSpliced(near, 1),
    });
  return html`<div class="field-row">
      <span class="field-label">${counted(constraint.places.length, "path point")}</span>
      ${
        near < 0
          ? html`<button
              title="Add a path point at this frame, where the point is now"
              ?disabled=${!curveOf(constraint.point, false)}
              @click=${add}
            >
              Add path point
            </button>`
          : html`<button ?disabled=${constraint.places.length < 2} @click=${drop}>
              Remove path point
            </button>`
      }
    </div>
    ${near < 0 ? nothing : triple("Position", constraint.places[near]!, (to) => set({ ...constraint, places: constraint.places.with(near, to) }))}`;
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

function triple(label: string, value: Vec3, on: (value: Vec3) => void): TemplateResult {
  return html`<div class="field-row three">
    <span class="field-label">${label}</span>
    ${[0, 1, 2].map((axis) =>
      numberField({
        label: `${label}, ${"xyz"[axis]}`,
        value: value[axis]!,
        measure: { ...length(), unit: "" },
        on: (next) => next !== null && on(put(value, axis, next)),
      }),
    )}
  </div>`;
}
