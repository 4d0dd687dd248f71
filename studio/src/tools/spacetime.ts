// Spacetime edit: drags any point at any frame, a footplant or a held prop; the whole motion adapts.

import { pointConstraints } from "../state/pinsAndContacts";
import { sceneInfo } from "../state/document";
import { footplantsHere } from "../state/footplants";
import { options, rate, take } from "../state/view";
import type { PointRef } from "../wire/messages";
import { EditRange } from "./shared/editRange";
import type { ToolFile } from "./shared/tool";

const NAME = "spacetime";
const CLOSEST = 2; // frames from one knot to the next, whatever is asked for
const FEWEST = 5; // knot spans in a range

const editRange = new EditRange(NAME);

export const tool: ToolFile = {
  name: NAME,
  verbs: ["move", "turn"],
  hint: () => `Drag ${anyOf(["any point at any frame", ...others()])}`,
  refusal: (point, frame) => editRange.refusal(point, frame),
  overlays: { constraints: true, footplants: true },
  panel: {
    hidden: ["start", "end"],
    limits: () => ({ knot_spacing: spacingLimits() }),
  },
  mouse: [
    ["drag any point", "edits the whole motion"],
    ["drag the marker of a contact or footplant", "moves the footplant"],
    ["drag a held prop", "the hands follow"],
    ["drag a box, sphere or path point", "moves the constraint"],
    ["drag the bracket on the ruler", "sets the edit range; double click resets it"],
  ],
  editsBakedMotion: true,
  dragsHeldProps: true,
  solvesConstraints: true,
  footplantOptions: { detect: "detect_footplants", heels: "include_heels" },
  rangeOptions: { start: "start", end: "end" },
  bringsFootplant,
  editRange,
};

/** The closest and widest knot spacing that is used, in frames. */
export function spacingLimits(): [number, number] {
  const most = editRange.length() / FEWEST;
  return [Math.min(CLOSEST, most), most];
}

/** What can be dragged here besides points of the body. */
function others(): string[] {
  const here = pointConstraints.value.filter(
    (each) => each.kind === "contact" && (!each.take || each.take === take.value),
  );
  const stands = footplantsHere().length > 0 || here.some((each) => !each.relative_to);
  const holds = here.some(
    (each) => each.relative_to && each.relative_to.character !== each.point.character,
  );
  return [...(stands ? ["a footplant"] : []), ...(holds ? ["a held prop"] : [])];
}

function anyOf(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Whether a drag of a point moves a footplant along: one of its own joint, or of one beside it. */
function bringsFootplant(point: PointRef, at: number): boolean {
  if (options.peek()[NAME]?.["drag_moves_footplant"] !== true) return false;
  const rig = sceneInfo.peek()?.rigs.find((each) => each.name === point.character);
  const joint = rig?.joints.indexOf(point.joint) ?? -1;
  const time = at / rate.peek();
  const all = [...pointConstraints.peek(), ...footplantsHere()];
  return all.some((each) => {
    const other = rig?.joints.indexOf(each.point.joint) ?? -1;
    const near = other === joint || rig?.parents[other] === joint || rig?.parents[joint] === other;
    const stands = each.kind !== "pin" && !each.relative_to;
    const holds = time >= each.start - 1e-6 && time <= each.end + 1e-6;
    const shown = !each.take || each.take === take.peek();
    return stands && holds && near && shown && each.point.character === point.character;
  });
}
