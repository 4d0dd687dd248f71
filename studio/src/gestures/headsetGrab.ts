// VR controllers hold puppets: each is a stick as long as it is to what its ray hits.

import { startXrSticks } from "../devices/xrSticks";
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
      run: () => void start(stage),
    },
  ]);
}

/** Whoever wears the headset stands where the camera is, on the ground. */
async function start(stage: Stage): Promise<void> {
  const { camera, yaw } = stage.orbit;
  const { x, z } = camera.position;
  const standing = { position: [x, 0, z] as [number, number, number], yaw };
  await startXrSticks(standing, (device, ray) => {
    const found = activeGesture.peek() ? null : bodyOnRay(stage, ray);
    if (found && activeTool().performsBody) grab(stage, device, found.point);
  }).catch((error: Error) => toast(error.message, "warning"));
}
