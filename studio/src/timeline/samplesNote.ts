// Takes of samples have no keys to edit: says so, and offers to make some.

import { html, nothing } from "lit-html";
import { draw, placeIn } from "../panels/draw";
import { length } from "../panels/words";
import { cast, jobs } from "../state/document";
import { tool } from "../state/view";
import { told } from "./shown";
import { doAtOnce, here } from "./sliding";

const SHARE = 0.002; // of the character's height, by which the keys may miss the samples

export function buildSamplesNote(body: HTMLElement): void {
  draw(placeIn(body, "samples"), () => {
    if (!told.value || told.value.keyed || jobs.value.size > 0 || tool.value === "spacetime") return nothing;
    const tolerance = SHARE * (cast.value?.scale ?? 1);
    return html`<div class="samples-note" role="status">
      <p>This take is samples: turn it into keys to edit it here.</p>
      <p class="quiet">Few keys, every joint within ${length(tolerance, cast.value?.unit ?? "m")} of where it was.
        Or take Whole motion, which edits samples as they are.</p>
      <button class="main" @click=${() => doAtOnce({ change: "fittake", ...here(), tolerance })}>Turn into keys</button>
    </div>`;
  });
}
