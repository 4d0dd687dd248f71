// A trigger of a gamepad grabs the chosen character, with a tool whose performances begin on a body.

import { connectedGamepads, readSticks } from "../devices/gamepad";
import { GamepadStick, HOLDS } from "../devices/gamepadStick";
import { sceneInfo } from "../state/document";
import { activeTool } from "../tools/shared/registry";
import { activeGesture } from "../viewport/activeGesture";
import type { Stage } from "../viewport/stage";
import { chestOf } from "./stickAim";
import { grab } from "./stickPerformance";

/** Looks at gamepads as long as there are any; a browser tells of one once a button was pressed. */
export function startGamepadGrab(stage: Stage): void {
  let looks = false;
  let wasHeld = true; // a trigger that was pulled before grabs nothing
  const look = () => {
    const pads = connectedGamepads();
    const holds = pads.some((each) => readSticks(each).trigger > HOLDS);
    if (holds && !wasHeld && activeTool().performsBody && !activeGesture.peek()) grabBy(stage);
    wasHeld = holds;
    looks = pads.length > 0;
    if (looks) requestAnimationFrame(look);
  };
  addEventListener("gamepadconnected", () => {
    if (looks) return;
    looks = true;
    look();
  });
}

function grabBy(stage: Stage): void {
  const size = sceneInfo.peek()?.scale ?? 1;
  grab(stage, new GamepadStick(chestOf(stage).toArray(), stage.orbit.yaw, size), null);
}
