// Takes of samples have no keys to edit: says so, and offers to make some.

import { html, nothing } from "lit-html";
import { draw, placeIn } from "../panels/draw";
import { openFitKeyframes } from "../panels/fitkeys";
import { jobs } from "../state/document";
import { tool } from "../state/view";
import { told } from "./shown";
import { here } from "./sliding";

export function buildSamplesNote(body: HTMLElement): void {
  draw(placeIn(body, "samples"), () => {
    if (!told.value || told.value.keyed || jobs.value.size > 0 || tool.value === "spacetime")
      return nothing;
    return html`<div class="samples-note" role="status">
      <p>Baked motion (no keys)</p>
      <p class="quiet">
        Fit keyframes to edit it here: few key poses, within a tolerance that you choose. Or take
        Whole motion, which edits baked motion as it is.
      </p>
      <button class="main" @click=${() => openFitKeyframes(here())}>Fit keyframes…</button>
    </div>`;
  });
}
