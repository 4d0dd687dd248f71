// VR controllers hold puppets: each is a stick as long as it is to what its ray hits. Two hold two, or body and head of one.

import { Euler, type Ray } from "three";
import { startXrSticks, type Standing, type XrStick } from "../devices/xrSticks";
import { headsetMode } from "../devices/xr";
import { besideInteractions } from "../state/besideInteractions";
import { addCommands } from "../state/commands";
import { interaction } from "../state/interaction";
import { toast } from "../state/receive";
import { activeTool } from "../tools/shared/registry";
import { activeGesture } from "../viewport/activeGesture";
import { bodyOnRay } from "../viewport/picking";
import type { Stage } from "../viewport/stage";
import { viewOnly } from "../wire/role";
import { BesidePerformance } from "./besidePerformance";
import { grab, StickPerformance } from "./stickPerformance";

export function addHeadsetCommand(stage: Stage): void {
  addCommands([
    {
      id: "time.headset",
      label: "Hold puppets with VR controllers",
      group: "Time",
      enabled: () =>
        headsetMode() !== null && activeTool().performsBody === true && !viewOnly.value,
      why: "This needs a headset, and a tool whose performances begin on a body.",
      run: () => void startHeadset(stage),
    },
  ]);
}

/** Whoever wears the headset stands where the camera is, on the ground; `show` draws into it. */
export async function startHeadset(
  stage: Stage,
  show?: (session: XRSession, standing: Standing) => Promise<void>,
): Promise<void> {
  const { camera } = stage.orbit;
  const { x, z } = camera.position;
  const yaw = new Euler().setFromQuaternion(camera.quaternion, "YXZ").y;
  const standing: Standing = { position: [x, 0, z], yaw };
  const pull = (stick: XrStick, ray: Ray) => pulled(stage, stick, ray);
  await startXrSticks(standing, pull, show && ((session) => show(session, standing))).catch(
    (error: Error) => toast(error.message, "warning"),
  );
}

/** A trigger was pulled: the first controller leads what it hits, the other one another puppet, or the head of the same. */
function pulled(stage: Stage, stick: XrStick, ray: Ray): void {
  const found = activeTool().performsBody ? bodyOnRay(stage, ray) : null;
  const held = interaction.peek();
  const name = found?.point.character ?? "";
  if (!found || [...besideInteractions.peek().values()].includes(name)) return;
  if (!held) return void grab(stage, stick, found.point);
  if (held.point?.character === name) stick.holdHead();
  else if (activeGesture.peek() instanceof StickPerformance)
    new BesidePerformance(stick, found.point);
}
