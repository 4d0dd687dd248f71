// Actions on the bars of layers: select, mute and rename, as in the list.

import { renameChosen } from "../controls/layerMenu";
import { unfold } from "../controls/section";
import { chooseLayer, mute } from "../state/layers";
import { rate } from "../state/view";
import type { LayerBar } from "./row";
import { frameText } from "./frameText";

/** Chooses it in the list, too, and brings it into view there. */
export function chooseBarOf({ index }: LayerBar): void {
  chooseLayer(index);
  unfold("Layers");
  requestAnimationFrame(() =>
    document.querySelector(`.layer[data-layer="${index}"]`)?.scrollIntoView({ block: "nearest" }),
  );
}

export function toggleEye({ index, muted }: LayerBar): void {
  mute(index, !muted);
}

export function nameLayer({ index }: LayerBar): void {
  chooseLayer(index);
  renameChosen();
}

export function layerText({ part, layer }: { part: "layer" | "eye"; layer: LayerBar }): string {
  if (part === "eye") return `${layer.muted ? "Unmute" : "Mute"} ${layer.name}`;
  const [first, last] = [layer.start, layer.end].map((time) => frameText(time * rate.peek()));
  const weight = layer.weight === 1 ? "" : `, ${Math.round(100 * layer.weight)} %`;
  return `${layer.name}: frames ${first}–${last}${weight}${layer.muted ? ", muted" : ""}`;
}
