// Compose: strokes across the picture of a shot lead the lines of its objects.

import { chosenLayer, composition, keyTimes, shownKey } from "../state/composition";
import { sceneInfo } from "../state/document";
import { takeShown } from "../state/shownTakes";
import { character, options } from "../state/view";
import type { FlowLayerInfo } from "../wire/messages";
import type { ToolFile } from "./shared/tool";

export const tool: ToolFile = {
  name: "flow",
  verbs: ["move"],
  hint: () => "Draw a line across the picture: lines of objects that run along it follow",
  overlays: { constraints: false, footplants: false },
  panel: {
    groups: [
      { title: "Layer", options: ["strength", "range", "smoothness"] },
      { title: "Brush", options: ["brush", "brush_size", "brush_strength"] },
      { title: "Shot", options: ["auto_key"] },
      { title: "Objects", options: ["split", "abstraction", "include", "merge", "cut"] },
    ],
    choices: {
      use: {
        flow: "Flow curve",
        centre: "Circle around a centre",
        curve: "Curve of an object",
        brush: "Brush",
      },
      brush: { exclude: "Exclude", include: "Include", strength: "Strength" },
    },
    hidden: [
      ...["layer", "muted", "remove", "place", "exclude", "only", "curve", "hide", "lock"],
      ...["release", "regroup", "add_key", "remove_key", "lift"],
    ],
    shown: {
      strength: ofLayer("strength"),
      range: ofLayer("range"),
      smoothness: ofLayer("smoothness"),
    },
  },
  tunes: ["strength", "range", "smoothness", "merge", "cut"],
  composes: true,
  drawsFirst: true,
  drawsAtRest: true,
  restOptions: () => ({
    layer: Number(options.value["flow"]?.["layer"] ?? 0),
    curve: String(options.value["flow"]?.["curve"] ?? ""),
  }),
  restTime: () => keyTimes.value[shownKey.value] ?? 0,
  subject: shownActor,
  mouse: [
    [
      "drag",
      "draws a flow curve, a circle around a centre point, a curve of an object, or brushes",
    ],
    ["drag a handle", "moves the centre point, or the stroke there"],
    ["G, then drag an object", "moves that point of the picture"],
    ["Esc or right button", "cancels the stroke"],
  ],
};

/** What the chosen layer has. */
function ofLayer(name: "strength" | "range" | "smoothness"): () => number | null {
  return () => {
    const layer: FlowLayerInfo | undefined = composition.value?.layers[chosenLayer.value];
    return layer?.[name] ?? null;
  };
}

/** It is about the whole scene: any actor stands for it, best the selected one in the take it plays. */
function shownActor(): { character: string; take: string } | null {
  const rigs = sceneInfo.value?.rigs ?? [];
  const name = rigs.find((rig) => rig.name === character.value)?.name ?? rigs[0]?.name;
  return name === undefined ? null : { character: name, take: takeShown(name) };
}
