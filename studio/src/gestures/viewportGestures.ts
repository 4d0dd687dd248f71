// Starts pointer and commands of the viewport.

import type { Stage } from "../viewport/stage";
import { addViewportCommands } from "./commands";
import { watchOpenInteraction } from "./openInteraction";
import { Pointer } from "./pointer";

export function startViewportGestures(stage: Stage): void {
  new Pointer(stage);
  watchOpenInteraction(stage);
  addViewportCommands(stage);
}
