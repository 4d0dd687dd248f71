// VR controllers hold puppets: each is a stick as long as it is to what its ray hits.

import { Euler, type Ray } from "three";
import type { Device } from "../devices/device";
import { startXrSticks, type Standing } from "../devices/xrSticks";
import { headsetMode } from "../devices/xr";
import { addCommands } from "../state/commands";
import { toast } from "../state/receive";
import { activeTool } from "../tools/shared/registry";
import { activeGesture } from "../viewport/activeGesture";
import { bodyOnRay } from "../viewport/picking";
import type { Stage } from "../viewport/stage";
import { viewOnly } from "../wire/role";
import { grab } from "./stickPerformance";

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
  const pull = (device: Device, ray: Ray) => {
    const found = activeGesture.peek() ? null : bodyOnRay(stage, ray);
    if (found && activeTool().performsBody) grab(stage, device, found.point);
  };
  await startXrSticks(standing, pull, show && ((session) => show(session, standing))).catch(
    (error: Error) => toast(error.message, "warning"),
  );
}
