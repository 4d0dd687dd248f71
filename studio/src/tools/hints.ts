// What the tool in hand can do, said until it was done once.

import { story } from "../state/document";
import { plantsHere } from "../state/plants";
import { take } from "../state/view";
import type { PointRef } from "../wire/messages";
import { fitFirst } from "./refusal";

/** The one that stands beside what it is about. */
export const BESIDE_CURVE = "Drag the curve";
const PLAIN: Record<string, string> = { tangent: BESIDE_CURVE, pose: "Drag any point of the body" };

/** Words for a tool and the point that acts; "" where there are none. */
export function hintOf(tool: string, spot: PointRef | undefined): string {
  if (tool === "spacetime") return `Drag ${anyOf(["any point at any frame", ...others()])}`;
  if (spot && fitFirst(spot)) return "Take Whole motion to drag this take as it is";
  return PLAIN[tool] ?? "";
}

/** What else of a whole motion can be dragged here. */
function others(): string[] {
  const here = (story.value?.point_constraints ?? []).filter(
    (wish) => wish.kind === "contact" && (!wish.take || wish.take === take.value),
  );
  const stands = plantsHere().length > 0 || here.some((wish) => !wish.relative_to);
  const holds = here.some(
    (wish) => wish.relative_to && wish.relative_to.character !== wish.point.character,
  );
  return [...(stands ? ["a footplant"] : []), ...(holds ? ["what is held"] : [])];
}

function anyOf(things: string[]): string {
  return things.length < 2
    ? things.join("")
    : `${things.slice(0, -1).join(", ")} or ${things.at(-1)}`;
}
