// Settings of a phone as a stick, and what is remembered of them.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { phoneStick } from "../devices/registry";
import { canTrackPosition } from "../devices/xr";
import { sceneInfo } from "../state/document";
import { toast } from "../state/receive";
import { kept } from "../state/view";

export const stickLength = kept("stick_length", 1.7); // body heights
export const sensitivity = kept("stick_sensitivity", 1);
export const leftHanded = kept("stick_left", false);
const isOpen = signal(false);

export function toggleStickSettings(): void {
  isOpen.value = !isOpen.peek();
}

/** m */
export function lengthInWorld(): number {
  return stickLength.value * (sceneInfo.value?.scale ?? 1);
}

export function stickSettings(recentre: () => void): TemplateResult | typeof nothing {
  if (!isOpen.value) return nothing;
  return html`<div class="card stick-settings">
    ${slider(
      "Stick length",
      `${lengthInWorld().toFixed(1)} m`,
      stickLength.value,
      [0.5, 4, 0.05],
      (value) => {
        stickLength.value = value;
        recentre();
      },
    )}
    ${slider("Sensitivity", `${sensitivity.value.toFixed(1)} ×`, sensitivity.value, [0.5, 4, 0.1], (value) => (sensitivity.value = value))}
    <label class="stick-switch"
      ><input
        type="checkbox"
        .checked=${leftHanded.value}
        @change=${(event: Event) => (leftHanded.value = (event.target as HTMLInputElement).checked)}
      />Left-handed</label
    >
    ${
      canTrackPosition.value && phoneStick.tracking.value !== "position"
        ? html`<button @click=${trackPosition}>Track position with the camera</button>`
        : nothing
    }
    <div class="stick-ends">
      <a href="./?studio=1">Open the studio</a>
      <a href="./stages">Play the stages</a>
      <button class="main" @click=${toggleStickSettings}>Done</button>
    </div>
  </div>`;
}

function trackPosition(): void {
  isOpen.value = false;
  phoneStick
    .trackPosition(document.getElementById("studio")!)
    .catch((error: Error) => toast(`The position cannot be tracked: ${error.message}`, "warning"));
}

function slider(
  label: string,
  text: string,
  value: number,
  [low, high, step]: [number, number, number],
  set: (value: number) => void,
): TemplateResult {
  return html`<label class="stick-slider"
    ><span>${label}</span><output>${text}</output>
    <input
      type="range"
      min=${low}
      max=${high}
      step=${step}
      aria-label=${label}
      .value=${String(value)}
      @input=${(event: Event) => set(Number((event.target as HTMLInputElement).value))}
    />
  </label>`;
}
