// Motion cycle: acts, shapes and plants loops, also while they play.

import { takeOf } from "../state/document";
import { character, take } from "../state/view";
import { keysFirst } from "./shared/refusal";
import type { ToolFile } from "./shared/tool";

export const tool: ToolFile = {
  name: "cycle",
  verbs: ["move", "turn", "time"],
  hint: () => "Drag the curve to move it, a tick along it for time",
  refusal: keysFirst,
  overlays: { constraints: false, footplants: false },
  panel: {
    groups: [
      { title: "Loop", options: ["loop_period", "phase"] },
      { title: "Shaping", options: ["affected_range", "falloff", "retime", "tolerance"] },
      { title: "Contact", options: ["surface", "travels"] },
      {
        title: "Recording",
        options: [
          ...["perform", "drive", "gain", "shape", "method", "period", "start", "ratio"],
          ...["punch_start", "punch_end"],
        ],
      },
      { title: "Body", options: ["body_follows", "chain_length", "plant_feet"] },
    ],
    shown: { loop_period: () => takeOf(character.value, take.value)?.duration ?? null },
    choices: {
      drive: { body: "Whole body", joint: "Joint only" },
      retime: { all: "All channels", item: "This item only" },
    },
  },
  targetsPoint: true,
  performsPlayingBody: true,
  dragsCurves: true,
  dragsTicks: true,
  dragsArrows: true,
  dragsChannels: true,
  affectedRange: "affected_range",
  chainLength: "chain_length",
  phase: "phase",
  tunes: ["loop_period", "phase"],
  strokeMode: {
    label: "Draw contact",
    hint: "Draw a line through or just under the curves of the feet: what dips below it touches · Esc cancels",
  },
  mouse: [
    ["press the body while it plays, and act", "performs that point until the release"],
    ["drag the curve", "moves the loop at that frame, also while it plays"],
    ["drag a tick along the curve", "changes the timing; across it moves the loop"],
    ["zoom in where ticks are crowded", "there a drag always moves the loop"],
    ["H while dragging a tick", "holds it there: drag other ticks, too, then Enter"],
    ["drag the tip of an arrow", "rotates that frame; along it scales, where the joint can"],
    ["Ctrl drag along the curve", "phase: plays the item earlier or later"],
    ["wheel, Page Up/Down while dragging", "affected range: more or fewer frames"],
    ["Alt wheel while dragging", "more or fewer joints of the chain"],
    ["wheel over a tick", "scales time there"],
    ["Alt-click a tick", "goes to that frame"],
    ["I, X over the curve", "insert and delete a key there"],
    ["D, then draw a line across curves of feet", "what dips below it touches the ground"],
    ["drag on the strip of a channel", "changes its value at that frame"],
    ["Esc or right button", "cancels the drag"],
  ],
};
