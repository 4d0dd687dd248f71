// View: which marks are drawn, and how many ghosts.

import { html, type TemplateResult } from "lit-html";
import type { Signal } from "@preact/signals-core";
import { lastEdit } from "../state/document";
import * as view from "../state/view";
import { measureOf } from "./field";
import { numberField } from "./numberfield";
import { check } from "./options";

/** Everything that is on or off, once: for the panel, the menu and the palette. */
export const SWITCHES: { id: string; label: string; help: string; on: Signal<boolean> }[] = [
  { id: "mesh", label: "Mesh", help: "The character's surface", on: view.showMesh },
  { id: "bones", label: "Bones", help: "The joints and what joins them", on: view.showBones },
  {
    id: "marks",
    label: "Pins and contacts",
    help: "Their signs in the viewport",
    on: view.showMarks,
  },
  {
    id: "constraints",
    label: "Constraints",
    help: "Their lines and shapes, with the tool Whole motion",
    on: view.showConstraints,
  },
  {
    id: "own_marks",
    label: "Only of the selection",
    help: "Signs of pins, contacts and constraints of selected points, no others",
    on: view.ownMarks,
  },
  { id: "floor", label: "Floor", help: "The grid it stands on", on: view.floorOn },
  {
    id: "light_effects",
    label: "Shadows and reflections",
    help: "Without a graphics card, the studio is faster when they are off",
    on: view.lightEffects,
  },
  {
    id: "speed",
    label: "Speed colours",
    help: "Slow to fast along the curve",
    on: view.speedColours,
  },
  {
    id: "arrows",
    label: "Orientation arrows",
    help: "How the point is turned along its curve",
    on: view.orientationArrows,
  },
  {
    id: "follow",
    label: "Show the held frame",
    help: "While dragging, the frame under the hand",
    on: view.followHeld,
  },
  {
    id: "compare",
    label: "Compare with before",
    help: "The last edit's before, striped",
    on: view.compare,
  },
  {
    id: "original",
    label: "Compare with the original",
    help: "The take without its layers, striped",
    on: view.original,
  },
];

/** Of the camera, not of what is drawn. */
const FOLLOW = {
  label: "Follow the character",
  help: "The camera goes along over the ground while time goes on; its angle and distance stay",
  on: view.followCharacter,
};

export function marks(): TemplateResult {
  return html`${[FOLLOW, ...SWITCHES].map(
    (each) =>
      html`<label class="field-row" title=${each.help}>
        <span class="field-label">${each.label}</span>
        ${check(each.label, each.on.value, (on) => (each.on.value = on))}
      </label>`,
  )}
  ${
    view.compare.value && !lastEdit.value
      ? html`<p class="quiet">There is no edit to compare with yet.</p>`
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
        label: `Ghosts, ${label.toLowerCase()}`,
        value: now[name],
        measure: measureOf(name === "step" ? "frames" : "", "m", true),
        low,
        high,
        on: (value) => value !== null && set({ [name]: value }),
      })}
    </div>`;
  return html`<label class="field-row" title="Poses before and after this frame">
      <span class="field-label">Ghosts</span>${check("Ghosts", now.on, (on) => set({ on }))}
    </label>
    ${now.on ? [count("before", "Before", 0, 12), count("after", "After", 0, 12), count("step", "Step", 1, 60)] : ""}`;
}

function strobe(): TemplateResult {
  const now = view.strobe.value;
  const set = (part: Partial<typeof now>) => (view.strobe.value = { ...now, ...part });
  return html`<label class="field-row" title="The whole motion at once">
      <span class="field-label">Strobe</span>${check("Strobe", now.on, (on) => set({ on }))}
    </label>
    ${
      now.on
        ? html`<div class="field-row inner">
            <span class="field-label">Every</span>
            ${numberField({
              label: "Strobe, every",
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
