// View: what the viewport shows, and onion skin settings.

import { html, type TemplateResult } from "lit-html";
import type { Signal } from "@preact/signals-core";
import { lastEdit } from "../state/document";
import * as view from "../state/view";
import { measureOf } from "../controls/field";
import { numberField } from "../controls/numberField";
import { check } from "./options";

/** Everything that is on or off, once: for the panel, the menu and the palette. */
export const SWITCHES: { id: string; label: string; help: string; on: Signal<boolean> }[] = [
  { id: "mesh", label: "Mesh", help: "Character meshes", on: view.showMesh },
  { id: "bones", label: "Bones", help: "Joints and bones", on: view.showBones },
  {
    id: "marks",
    label: "Pins and contacts",
    help: "Their markers in the viewport",
    on: view.showMarkers,
  },
  {
    id: "constraints",
    label: "Constraints",
    help: "Their lines and shapes in the viewport",
    on: view.showConstraints,
  },
  {
    id: "own_marks",
    label: "Selected only",
    help: "Only pins, contacts and constraints of selected points",
    on: view.selectedOnlyMarkers,
  },
  { id: "floor", label: "Floor", help: "Ground grid", on: view.floorOn },
  {
    id: "light_effects",
    label: "Shadows and reflections",
    help: "Turn off for speed without a graphics card",
    on: view.lightEffects,
  },
  {
    id: "speed",
    label: "Speed colours",
    help: "Motion curves coloured by speed",
    on: view.speedColours,
  },
  {
    id: "arrows",
    label: "Orientation arrows",
    help: "Orientation of the point along its motion curve",
    on: view.orientationArrows,
  },
  {
    id: "follow",
    label: "Preview dragged frame",
    help: "While dragging, show the dragged frame",
    on: view.previewDraggedFrame,
  },
  {
    id: "returns",
    label: "Return after a drag",
    help: "After a drag at another frame, the playhead returns; else it stays on the edited frame",
    on: view.returnsToFrame,
  },
  {
    id: "compare",
    label: "Compare: last edit",
    help: "Show the motion before the last edit, striped",
    on: view.compare,
  },
  {
    id: "original",
    label: "Compare: source",
    help: "Show the take without its layers, striped",
    on: view.original,
  },
];

/** Of the camera, not of what is drawn. */
const FOLLOW = {
  label: "Follow character",
  help: "The camera moves along the ground with the character; panning stops it",
};

type Setter = (on: boolean) => void;

export function marks(): TemplateResult {
  const row = ({ label, help }: { label: string; help: string }, is: boolean, set: Setter) =>
    html`<label class="field-row" title=${help}>
      <span class="field-label">${label}</span>
      ${check(label, is, set)}
    </label>`;
  return html`${row(FOLLOW, view.followCharacter.value === true, view.chooseFollow)}
  ${SWITCHES.map((each) => row(each, each.on.value, (on) => (each.on.value = on)))}
  ${
    view.compare.value && !lastEdit.value
      ? html`<p class="quiet">No edit to compare with yet.</p>`
      : ""
  }
  ${ghosts()}${strobe()}`;
}

function ghosts(): TemplateResult {
  const now = view.ghosts.value;
  const set = (part: Partial<typeof now>) => (view.ghosts.value = { ...now, ...part });
  const count = (name: "before" | "after" | "step", label: string, low: number, high: number) =>
    html`<div class="field-row inner">
      <span class="field-label">${label}</span>
      ${numberField({
        label: `Onion skin, ${label.toLowerCase()}`,
        value: now[name],
        measure: measureOf(name === "step" ? "frames" : "", "m", true),
        low,
        high,
        on: (value) => value !== null && set({ [name]: value }),
      })}
    </div>`;
  return html`<label class="field-row" title="Ghosts before and after this frame">
      <span class="field-label">Onion skin</span>${check("Onion skin", now.on, (on) => set({ on }))}
    </label>
    ${now.on ? [count("before", "Before", 0, 12), count("after", "After", 0, 12), count("step", "Step", 1, 60)] : ""}`;
}

function strobe(): TemplateResult {
  const now = view.strobe.value;
  const set = (part: Partial<typeof now>) => (view.strobe.value = { ...now, ...part });
  return html`<label class="field-row" title="Ghosts over the whole playback range">
      <span class="field-label">Onion skin: all frames</span
      >${check("Onion skin: all frames", now.on, (on) => set({ on }))}
    </label>
    ${
      now.on
        ? html`<div class="field-row inner">
            <span class="field-label">Every</span>
            ${numberField({
              label: "Onion skin, every",
              value: now.every,
              measure: measureOf("frames", "m", true),
              low: 1,
              high: 120,
              on: (value) => value !== null && set({ every: value }),
            })}
          </div>`
        : ""
    }`;
}
