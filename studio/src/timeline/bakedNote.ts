// A note over baked motion, which has no keys to edit; offers to fit keyframes.

import { html, nothing } from "lit-html";
import { draw, placeIn } from "../controls/draw";
import { run } from "../state/commands";
import { jobs } from "../state/document";
import { activeTool, bakedTool } from "../tools/shared/registry";
import { takeInfo } from "./sheetState";

export function buildSamplesNote(body: HTMLElement): void {
  draw(placeIn(body, "samples"), () => {
    if (
      !takeInfo.value ||
      takeInfo.value.keyed ||
      jobs.value.size > 0 ||
      activeTool().editsBakedMotion ||
      activeTool().makesTakes
    )
      return nothing;
    return html`<div class="samples-note" role="status">
      <p>Baked motion (no keys)</p>
      <p class="quiet">
        Fit keyframes to edit it here, within a tolerance that you choose. Or use
        ${bakedTool()?.label}, which edits baked motion as it is.
      </p>
      <button class="main" @click=${() => run("edit.fit_keyframes")}>Fit keyframes…</button>
    </div>`;
  });
}
