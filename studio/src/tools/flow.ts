// Compose: strokes across the picture of a shot lead the lines of its objects.

import { chosenLayer, composition } from "../state/composition";
import { documentState, sceneInfo } from "../state/document";
import { options } from "../state/view";
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
      { title: "Objects", options: ["split", "abstraction", "include"] },
    ],
    choices: {
      use: { flow: "Flow curve", centre: "Circle around a centre", curve: "Curve of an object" },
    },
    hidden: ["layer", "muted", "remove", "place", "exclude", "only"],
    shown: {
      strength: ofLayer("strength"),
      range: ofLayer("range"),
      smoothness: ofLayer("smoothness"),
    },
  },
  tunes: ["strength", "range", "smoothness"],
  composes: true,
  drawsFirst: true,
  drawsAtRest: true,
  restOptions: () => ({ layer: Number(options.value["flow"]?.["layer"] ?? 0) }),
  subject: anyActor,
  mouse: [
    ["drag", "draws a flow curve, a circle around a centre point, or a curve of an object"],
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

/** It is about the whole scene: any actor stands for it. */
function anyActor(): { character: string; take: string } | null {
  const name = sceneInfo.value?.rigs[0]?.name;
  if (name === undefined) return null;
  return { character: name, take: documentState.value?.takes[name]?.[0]?.name ?? "" };
}
