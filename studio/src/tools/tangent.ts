// Motion curves: drags a point's path between keys.

import type { PointRef } from "../wire/messages";
import { isBetweenKeyPoses, isKeyPose } from "./shared/keyPose";
import { keysFirst, type Refusal } from "./shared/refusal";
import type { StudioTool } from "./shared/tool";

export const tool: StudioTool = {
  name: "tangent",
  label: "Motion curves",
  gestures: ["drag"],
  verbs: ["move", "turn", "time"],
  hint: () => "Drag the curve",
  refusal,
  overlays: { constraints: false, footplants: false },
  panel: {},
  timeReach: "reach",
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
