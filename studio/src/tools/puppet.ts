// Puppet: a character at the end of a stick; a press on it holds it until the release.

import type { ToolFile } from "./shared/tool";

export const tool: ToolFile = {
  name: "puppet",
  hint: () => "Press the character and lead it: it walks, crouches and jumps along",
  overlays: { constraints: false, footplants: false },
  panel: {
    hidden: ["blocks"], // the stages set it
    choices: { hold: { button: "Pressed", always: "Always" } },
    groups: [
      {
        title: "Roles",
        options: [
          "idle",
          "walk",
          "run",
          "crouch",
          "crouch_walk",
          "mid_jump",
          "get_up_back",
          "get_up_front",
          "punch",
          "kick",
          "throw",
        ],
      },
    ],
  },
  makesTakes: true,
  performsBody: true,
  mouse: [
    ["press the character, and move", "leads it over the ground; the release makes a take"],
    ["press it in a performed take", "goes on from the playhead: what is before stays"],
    ["1, 2, 3 while it is held", "punches, kicks, throws"],
    ["move down, up", "crouches; a quick flick up jumps, a slow lift hangs it on the stick"],
  ],
};
