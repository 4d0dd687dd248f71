// The right side: options of the tool, layers, selection, limits, stiffness, view.

import { html, nothing, type TemplateResult } from "lit-html";
import { layersHere } from "../state/layers";
import { points } from "../state/view";
import { draw, placeIn } from "../controls/draw";
import { compositionPart } from "./compose";
import { eventsPart } from "./events";
import { groundPart } from "./ground";
import { layerList, layersMatter } from "./layers";
import { channelsHere, hasLimits, hasStiffness, limits, stiffness } from "./limits";
import { marks } from "./viewOptions";
import { toolOptions } from "./options";
import { posePart } from "./poses";
import { section } from "../controls/section";
import { selection } from "./selection";
import { activeTool } from "../tools/shared/registry";

export function buildRight(place: HTMLElement): void {
  const part = () => placeIn(place, "part-place");
  draw(part(), () => section({ title: activeTool().label, body: toolOptions }));
  draw(part(), groundPart);
  draw(part(), eventsPart);
  draw(part(), compositionPart);
  draw(part(), layers);
  draw(part(), posePart);
  draw(part(), () => section({ title: "Selection", body: selection }));
  draw(part(), () => ofJoint("Limits", limits, !hasLimits()));
  draw(part(), () => ofJoint("Stiffness", stiffness, !hasStiffness()));
  draw(part(), () => section({ title: "View", body: marks }));
}

/** The stack of the take, where there is one or a drag would begin it. */
function layers(): TemplateResult | typeof nothing {
  if (!layersMatter()) return nothing;
  const count = layersHere().length;
  return section({
    title: "Layers",
    aside: html`<span class="count">${count || ""}</span>`,
    body: layerList,
  });
}

/** A part that is only there while a joint is selected. */
function ofJoint(
  title: string,
  body: () => TemplateResult,
  idle: boolean,
): TemplateResult | typeof nothing {
  if (!channelsHere()?.own.length) return nothing;
  return section({ title, aside: points.value.at(-1)?.joint ?? "", body, idle });
}
