// The dialog Fit keyframes: few key poses from baked motion; the count follows the tolerance.

import { effect, signal } from "@preact/signals-core";
import { html, type TemplateResult } from "lit-html";
import { sceneInfo } from "../state/document";
import {
  requestCount,
  cancelCount,
  counted,
  countText,
  type Poses,
  type ReductionRequest,
} from "../state/reduction";
import { send } from "../wire/socket";
import { openDialog } from "../controls/dialog";
import type { Measure } from "../controls/field";
import { numberField } from "../controls/numberField";

const MILLIMETRES: Measure = { unit: "mm", scale: 1000, digits: 1, step: 1 };
const SHARE = 0.005; // of the character's height: the tolerance that is offered
const KINDS: { poses: Poses; label: string; help: string }[] = [
  { poses: "aligned", label: "Key poses", help: "All channels are keyed at the same frames." },
  {
    poses: "per-channel",
    label: "Per channel",
    help: "Fewer keys: each channel is keyed only where it needs it.",
  },
];

/** Steps of the slider, m: close together where tolerances are small. */
const STEPS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50].map((mm) => mm / 1000);

export function openFitKeyframes(about: { character: string; take: string }): void {
  const height = sceneInfo.peek()?.scale ?? 1.7;
  const offered = STEPS.reduce((best, each) =>
    Math.abs(each - SHARE * height) < Math.abs(best - SHARE * height) ? each : best,
  );
  const tolerance = signal(offered);
  const poses = signal<Poses>("aligned");
  const wanted = (): ReductionRequest => ({
    ...about,
    tolerance: tolerance.value,
    poses: poses.value,
  });
  const stop = effect(() => requestCount(wanted()));
  openDialog({
    name: "fitkeys",
    title: "Fit keyframes",
    closed: () => {
      stop();
      cancelCount();
    },
    body: (close) =>
      html` <div class="stacked">
          <span>Tolerance: how far any joint may be off</span>
          <span class="tolerance">
            <input
              type="range"
              min="0"
              max=${STEPS.length - 1}
              aria-label="Tolerance slider"
              .value=${String(nearest(tolerance.value))}
              @input=${(event: Event) => (tolerance.value = STEPS[Number((event.target as HTMLInputElement).value)] ?? offered)}
            />
            ${numberField({
              label: "Tolerance",
              value: tolerance.value,
              measure: MILLIMETRES,
              low: 0.1,
              high: 1000,
              on: (value) => (tolerance.value = value ?? tolerance.peek()),
            })}
          </span>
        </div>
        <div class="choices" role="radiogroup">${KINDS.map((each) => choice(each, poses))}</div>
        <p class="fit-count" role="status">${countText(counted.value, wanted())}</p>
        <footer>
          <button
            class="main"
            @click=${() => {
              const change = { change: "FitTake" as const, ...wanted() };
              send({ type: "ApplyChange", change });
              close();
            }}
          >
            Fit keyframes
          </button>
          <button @click=${close}>Cancel</button>
        </footer>`,
  });
}

function nearest(tolerance: number): number {
  const far = STEPS.map((each) => Math.abs(each - tolerance));
  return far.indexOf(Math.min(...far));
}

function choice(each: (typeof KINDS)[number], poses: { value: Poses }): TemplateResult {
  return html`<label class="choice">
    <input
      type="radio"
      name="poses"
      .checked=${poses.value === each.poses}
      @change=${() => (poses.value = each.poses)}
    />
    <span>${each.label}<small>${each.help}</small></span>
  </label>`;
}
