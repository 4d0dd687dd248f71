// Pose: drags any point of the body at the shown frame.

import { keysFirst } from "./shared/refusal";
import { rotateChoices } from "./shared/rotateChoices";
import type { ToolFile } from "./shared/tool";

export const tool: ToolFile = {
  name: "pose",
  verbs: ["move", "turn"],
  hint: () => "Drag any point of the body",
  refusal: keysFirst,
  overlays: { constraints: false, footplants: false },
  panel: { choices: rotateChoices, hidden: ["auto_key"] },
  autoKey: "auto_key",
  timeReach: "time_reach",
  chainLength: "chain_length",
};
