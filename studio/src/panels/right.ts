// The right side: options of the tool, selection, limits, stiffness, view.

import { nothing, type TemplateResult } from "lit-html";
import { points, tool } from "../state/view";
import { draw, placeIn } from "./draw";
import { channelsHere, limits, stiffness } from "./limits";
import { marks } from "./marks";
import { toolOptions } from "./options";
import { section } from "./section";
import { selection } from "./selection";
import { toolLabel } from "./words";

export function buildRight(place: HTMLElement): void {
  const part = () => placeIn(place, "part-place");
  draw(part(), () => section({ title: toolLabel(tool.value), body: toolOptions }));
  draw(part(), () => section({ title: "Selection", body: selection }));
  draw(part(), () => ofJoint("Limits", limits));
  draw(part(), () => ofJoint("Stiffness", stiffness));
  draw(part(), () => section({ title: "View", body: marks }));
}

/** A part that is only there while a joint is selected. */
function ofJoint(title: string, body: () => TemplateResult): TemplateResult | typeof nothing {
  if (!channelsHere()?.own.length) return nothing;
  return section({ title, aside: points.value.at(-1)?.joint ?? "", body });
}
