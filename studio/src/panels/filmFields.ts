// Settings of images and videos in the export dialog.

import { html, nothing, type TemplateResult } from "lit-html";
import { numberField } from "../controls/numberField";
import { lastFrame } from "../state/view";
import { BACKGROUNDS, filmedFrames, filmSettings, type Background } from "../viewport/filmSettings";
import { stage } from "../viewport/stage";
import { check } from "./options";

const WHOLE = { unit: "", scale: 1, digits: 0, step: 1 };
const PIXELS = { unit: "px", scale: 1, digits: 0, step: 2 };
const SIZES: readonly [label: string, size: readonly [number, number] | null][] = [
  ["As the viewport", null],
  ["1280 × 720", [1280, 720]],
  ["1920 × 1080", [1920, 1080]],
  ["3840 × 2160", [3840, 2160]],
  ["1080 × 1080", [1080, 1080]],
];

function set(change: Partial<typeof filmSettings.value>): void {
  filmSettings.value = { ...filmSettings.peek(), ...change };
}

/** `moving` for videos, which have frames. */
export function filmFields(moving: boolean): TemplateResult {
  const { background, overlays } = filmSettings.value;
  return html`<div class="film-fields">
    ${sizes()}${moving ? frames() : nothing}
    <label class="field-row">
      <span class="field-label">Background</span>
      <select
        aria-label="Background"
        @change=${(event: Event) =>
          set({ background: (event.target as HTMLSelectElement).value as Background })}
      >
        ${Object.entries(BACKGROUNDS)
          .filter(([name]) => !moving || name !== "transparent")
          .map(
            ([name, label]) =>
              html`<option value=${name} ?selected=${background === name}>${label}</option>`,
          )}
      </select>
    </label>
    <label class="field-row" title="Motion curves, markers, constraints">
      <span class="field-label">Overlays</span>
      ${check("Overlays", overlays, (on) => set({ overlays: on }))}
    </label>
  </div>`;
}

function sizes(): TemplateResult {
  const { size } = filmSettings.value;
  const shown = size ?? [stage?.canvas.width ?? 1280, stage?.canvas.height ?? 720];
  const side = (index: 0 | 1, label: string) =>
    numberField({
      label,
      value: shown[index]!,
      measure: PIXELS,
      low: 64,
      high: 4096,
      on: (px) => px !== null && set({ size: index === 0 ? [px, shown[1]!] : [shown[0]!, px] }),
    });
  return html`<div class="field-row">
    <span class="field-label">Size</span>
    <select
      aria-label="Size"
      @change=${(event: Event) => set({ size: SIZES[(event.target as HTMLSelectElement).selectedIndex]?.[1] ?? null })}
    >
      ${SIZES.map(
        ([label, each]) =>
          html`<option ?selected=${each?.join() === size?.join()}>${label}</option>`,
      )}
    </select>
    ${side(0, "Width")}${side(1, "Height")}
  </div>`;
}

function frames(): TemplateResult {
  const [first, last] = filmedFrames();
  return html`<div class="field-row frames-row">
    <span class="field-label">Frames</span>
    ${numberField({
      label: "First frame",
      value: first,
      measure: WHOLE,
      low: 0,
      high: last,
      on: (at) => at !== null && set({ frames: [at, last] }),
    })}
    ${numberField({
      label: "Last frame",
      value: last,
      measure: WHOLE,
      low: first,
      high: lastFrame.value,
      on: (at) => at !== null && set({ frames: [first, at] }),
    })}
  </div>`;
}
