// Starts pointer and commands of the viewport.

import type { Stage } from "../viewport/stage";
import { addViewportCommands } from "./commands";
import { Pointer } from "./pointer";

export function startViewportGestures(stage: Stage): void {
  new Pointer(stage);
  addViewportCommands(stage);
}
