// Starts pointer, devices and commands of the viewport.

import { startDevices } from "../devices/registry";
import { startGamepadGrab } from "./gamepadGrab";
import { addHeadsetCommand } from "./headsetGrab";
import type { Stage } from "../viewport/stage";
import { addViewportCommands } from "./commands";
import { watchOpenInteraction } from "./openInteraction";
import { startDropOnObject } from "./dropOnObject";
import { Pointer } from "./pointer";
import { addRecordCommands } from "./recordCommands";

export function startViewportGestures(stage: Stage): void {
  stage.showAxes();
  new Pointer(stage);
  startDevices();
  startGamepadGrab(stage);
  addHeadsetCommand(stage);
  watchOpenInteraction(stage);
  addViewportCommands(stage);
  addRecordCommands(stage);
  startDropOnObject(stage);
}
