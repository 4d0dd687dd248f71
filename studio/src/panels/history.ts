// History: every step by name; a click goes there.

import { html, type TemplateResult } from "lit-html";
import { documentState } from "../state/document";
import { send } from "../wire/socket";

export interface Step {
  step: number; // 0 is the beginning
  label: string;
  undone: boolean;
}

/** Steps from the beginning on; what was taken back last comes first after the present. */
export function stepsOf(done: readonly string[], undone: readonly string[]): Step[] {
  const labels = ["Original", ...done, ...[...undone].reverse()];
  return labels.map((label, step) => ({ step, label, undone: step > done.length }));
}

export function history(): TemplateResult {
  const done = documentState.value?.done ?? [];
  const now = done.length;
  return html`<div class="rows steps" role="listbox" aria-label="Steps">
    ${stepsOf(done, documentState.value?.undone ?? []).map(
      (each) =>
        html`<button
          class="row step ${each.undone ? "undone" : ""}"
          role="option"
          aria-selected=${each.step === now}
          title=${each.label}
          @click=${() => each.step !== now && send({ type: "GoToStep", step: each.step })}
        >
          <span class="step-mark" aria-hidden="true"></span
          ><span class="row-label">${each.label}</span>
        </button>`,
    )}
  </div>`;
}

/** The present stays in sight. */
export function followPresent(place: HTMLElement): void {
  place.querySelector(".step[aria-selected='true']")?.scrollIntoView({ block: "nearest" });
}
