// The right side: options of the tool, selection, limits, stiffness, view.

import { points, tool } from "../state/view";
import { draw, placeIn } from "./draw";
import { limits, stiffness } from "./limits";
import { marks } from "./marks";
import { toolOptions } from "./options";
import { section } from "./section";
import { selection } from "./selection";
import { toolLabel } from "./words";

export function buildRight(place: HTMLElement): void {
  const part = () => placeIn(place, "part-place");
  draw(part(), () => section({ title: toolLabel(tool.value), body: toolOptions }));
  draw(part(), () => section({ title: "Selection", body: selection }));
  draw(part(), () => section({ title: "Limits", aside: points.value.at(-1)?.joint ?? "", body: limits }));
  draw(part(), () => section({ title: "Stiffness", aside: points.value.at(-1)?.joint ?? "", body: stiffness }));
  draw(part(), () => section({ title: "View", body: marks }));
}
