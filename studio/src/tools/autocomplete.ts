// Complete: the motion between keys, from splines or a model; a dragged key completes it anew.

import { takeOf } from "../state/document";
import { character, options, take } from "../state/view";
import type { PointRef } from "../wire/messages";
import { isWithoutKeys, keysFirst, type Refusal } from "./shared/refusal";
import type { ToolFile } from "./shared/tool";

export const tool: ToolFile = {
  name: "autocomplete",
  verbs: ["move", "turn"],
  hint: () => "Complete fills in between keys; drag the body at a key to change it",
  refusal,
  overlays: { constraints: false, footplants: false },
  panel: {
    groups: [
      { title: "Between", options: ["keys", "joints"] },
      { title: "Model", options: ["model", "strength", "alternative"] },
      { title: "Result", options: ["contacts", "tolerance"] },
      { title: "Body", options: ["body_follows", "chain_length", "plant_feet"] },
    ],
  },
  mouse: [
    ["drag the body at a key", "moves that key pose; the motion around it is completed anew"],
    ["drag the body between keys", "adds a key pose there"],
    ["drag a ring", "moves the whole body at that key"],
    ["drag the border between two bars under the keys", "moves that key in time"],
    ["Alt wheel while dragging", "more or fewer joints of the chain"],
    ["Esc or right button", "cancels the drag"],
  ],
  chainLength: "chain_length",
  whole: { label: "Complete", hint: "Fill in the motion between keys" },
  keepsChoices: true,
  keyHandle: (frame) => `key at frame ${String(Math.round(frame * 1000) / 1000)}`,
  drawsAtRest: true,
  subject: () => {
    const info = takeOf(character.value, take.value);
    return info && !isWithoutKeys(info) ? { character: character.value, take: take.value } : null;
  },
};

/** Baked motion is completed between frames that the panel names. */
function refusal(point: PointRef): Refusal | null {
  const chosen = String(options.value["autocomplete"]?.["keys"] ?? "");
  return chosen.trim() ? null : keysFirst(point);
}
