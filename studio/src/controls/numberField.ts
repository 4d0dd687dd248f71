// A number with its unit: type, use the arrows, or drag across it.

import { html, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { shown, typed, type Measure } from "./field";

export interface NumberField {
  label: string; // for those who cannot see where it stands
  value: number | null; // in metres, radians or seconds
  measure: Measure;
  low?: number | null; // shown
  high?: number | null;
  /** Shown where there is no number, such as "none"; then the field may be emptied. */
  empty?: string;
  disabled?: boolean;
  /** Gives false where the value stays what it is, at least for now. */
  on: (value: number | null) => unknown;
  /** While it is dragged, before `on`; false where it does not follow. */
  onMove?: (value: number) => boolean;
}

export function numberField(field: NumberField): TemplateResult {
  return html`<span class="number" ?data-disabled=${field.disabled ?? false}>
    <input
      inputmode="decimal"
      spellcheck="false"
      autocomplete="off"
      aria-label=${field.label}
      placeholder=${field.empty ?? ""}
      ?disabled=${field.disabled ?? false}
      .value=${live(shown(field.value, field.measure))}
      @change=${(event: Event) => accept(field, event.target as HTMLInputElement)}
      @keydown=${(event: KeyboardEvent) => onKey(field, event)}
      @pointerdown=${(event: PointerEvent) => scrub(field, event)}
    /><span class="unit">${field.value === null ? "" : field.measure.unit}</span>
  </span>`;
}

function accept(field: NumberField, input: HTMLInputElement): void {
  const value = typed(input.value, field.measure, field.low, field.high);
  const refused = value === undefined || (value === null && field.empty === undefined);
  const taken = !refused && field.on(value) !== false;
  // shows the current value until the server sends another
  input.value = shown(taken ? value : field.value, field.measure);
}

function onKey(field: NumberField, event: KeyboardEvent): void {
  const input = event.target as HTMLInputElement;
  if (event.key === "Enter" || event.key === "Escape") {
    if (event.key === "Escape") input.value = shown(field.value, field.measure);
    event.stopPropagation();
    event.preventDefault();
    input.blur();
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    event.preventDefault();
    const by = (event.key === "ArrowUp" ? 1 : -1) * field.measure.step * (event.shiftKey ? 10 : 1);
    input.value = String(Number(input.value || 0) + by);
    accept(field, input);
  }
}

/** A drag across the field changes it, 4 px for a step; a click only begins to type. */
function scrub(field: NumberField, event: PointerEvent): void {
  const input = event.currentTarget as HTMLInputElement;
  if (event.button !== 0 || document.activeElement === input || field.value === null) return;
  event.preventDefault();
  input.setPointerCapture(event.pointerId);
  const first = field.value * field.measure.scale;
  let info = field.value;
  let moved = false;
  const follow = (now: PointerEvent) => {
    const far = now.clientX - event.clientX;
    if (Math.abs(far) < 3 && !moved) return;
    moved = true;
    const by = Math.round(far / 4) * field.measure.step * (now.shiftKey ? 0.1 : 1);
    const next = typed(String(first + by), field.measure, field.low, field.high);
    if (typeof next !== "number" || field.onMove?.(next) === false) return;
    info = next;
    input.value = shown(next, field.measure);
  };
  const end = () => {
    input.removeEventListener("pointermove", follow);
    if (moved && (field.onMove || info !== field.value) && field.on(info) === false)
      input.value = shown(field.value, field.measure);
    if (!moved) input.select();
    if (!moved) input.focus();
  };
  input.addEventListener("pointermove", follow);
  input.addEventListener("lostpointercapture", end, { once: true });
}
