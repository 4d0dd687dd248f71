// Motion curves: drags a point's path between keys.

import type { PointRef } from "../wire/messages";
import { isBetweenKeyPoses, isKeyPose } from "./shared/keyPose";
import { keysFirst, type Refusal } from "./shared/refusal";
import { rotateChoices } from "./shared/rotateChoices";
import type { ToolFile } from "./shared/tool";

export const tool: ToolFile = {
  name: "tangent",
  verbs: ["move", "turn", "time"],
  hint: () => "Drag the curve",
  refusal,
  overlays: { constraints: false, footplants: false },
  panel: { choices: rotateChoices },
  timeReach: "time_reach",
  chainLength: "chain_length",
  mouse: [
    ["hover", "shows the point and frame, highlights the curve"],
    ["click the body", "selects that point and shows its curve; ⇧ extends"],
    ["drag the curve", "moves it at that frame"],
    ["X, Y, Z while dragging", "lock an axis"],
    ["⇧ while dragging", "precise"],
    ["wheel, Page Up/Down while dragging", "more or fewer joints of the chain"],
    ["Alt wheel while dragging", "time reach: more or fewer segments"],
    ["Esc or right button", "cancels the drag"],
    ["wheel over a tick", "scales time there"],
    ["Alt-click a tick", "goes to that frame"],
  ],
  isDefault: true,
  dragsCurves: true,
  frameAt: besideKey,
};

function refusal(point: PointRef, frame: number): Refusal | null {
  const keysMissing = keysFirst(point);
  if (keysMissing) return keysMissing;
  if (!isKeyPose(point, frame) || isBetweenKeyPoses(point, frame)) return null;
  return {
    text: "This is a key pose: motion curves change between keys.",
    press: "Pose it",
    tool: "pose",
  };
}

/** Beside a key pose the next whole frame on the same side. */
function besideKey(point: PointRef, at: number, nearest: number): number {
  const beside = Math.abs(at - nearest) >= 0.1 && isKeyPose(point, nearest);
  return beside ? nearest + Math.sign(at - nearest) : nearest;
}
