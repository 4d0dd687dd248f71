// The ground under puppets: steps and ramps, by their numbers.

import { html, nothing, type TemplateResult } from "lit-html";
import { measureOf } from "../controls/field";
import { numberField } from "../controls/numberField";
import { section } from "../controls/section";
import { sceneInfo } from "../state/document";
import {
  addBlock,
  blocksHere,
  changeBlock,
  removeBlock,
  shapeOf,
  type BlockShape,
} from "../state/ground";
import { icon } from "../controls/icons";
import { activeTool } from "../tools/shared/registry";
import { viewOnly } from "../wire/role";
import "../style/ground.css";

const FIELDS: readonly { name: keyof BlockShape; label: string; low?: number }[] = [
  { name: "x", label: "X" },
  { name: "z", label: "Z" },
  { name: "width", label: "Width", low: 0.01 },
  { name: "depth", label: "Depth", low: 0.01 },
  { name: "near", label: "Height" },
  { name: "far", label: "Far height" },
];

/** Shown with the tool that plays on it. */
export function groundPart(): TemplateResult | typeof nothing {
  if (!activeTool().performsBody) return nothing;
  return section({
    title: "Ground",
    aside: html`<span class="count">${blocksHere().length || ""}</span>`,
    body: () =>
      html`${blocksHere().map(block)}
        <div class="ground-buttons">
          <button
            title="A box to step or jump onto"
            ?disabled=${viewOnly.value}
            @click=${() => addBlock(false)}
          >
            Add block
          </button>
          <button title="A slope" ?disabled=${viewOnly.value} @click=${() => addBlock(true)}>
            Add ramp
          </button>
        </div>`,
  });
}

function block(each: Parameters<typeof shapeOf>[0], index: number): TemplateResult {
  const shape = shapeOf(each);
  const unit = sceneInfo.value?.unit ?? "m";
  const measure = measureOf("m", unit);
  const name = each.heights[0] === each.heights[1] ? "Block" : "Ramp";
  return html`<div class="ground-block" role="group" aria-label="${name} ${index + 1}">
    <span class="row-label">${name} ${index + 1}</span>
    <button
      class="plain tiny"
      aria-label="Remove ${name.toLowerCase()} ${index + 1}"
      title="Remove"
      ?disabled=${viewOnly.value}
      @click=${() => removeBlock(index)}
    >
      ${icon("close")}
    </button>
    ${FIELDS.map(
      (field) =>
        html`<label
          ><span class="field-label">${field.label}</span>${numberField({
            label: `${field.label} of ${name.toLowerCase()} ${index + 1}`,
            value: shape[field.name],
            measure,
            low: field.low === undefined ? null : field.low * measure.scale,
            disabled: viewOnly.value,
            on: (value) => value !== null && changeBlock(index, { [field.name]: value }),
          })}</label
        >`,
    )}
  </div>`;
}
