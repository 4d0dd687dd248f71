// Menu of a layer, and the dialog that renames it.

import * as layers from "../state/layers";
import { askName } from "./askName";
import type { MenuItem } from "./menu";

export function askForName(layer: number): void {
  const info = layers.layersHere()[layer];
  if (info) askName("Rename layer", info.name, (name) => layers.rename(layer, name));
}

export function renameChosen(): void {
  askForName(layers.chosenLayer());
}

export function layerMenu(layer: number): MenuItem[] {
  const all = layers.layersHere();
  const info = all[layer];
  return [
    {
      label: info?.muted ? "Unmute" : "Mute",
      hotkey: "M",
      run: () => layers.mute(layer, !info?.muted),
    },
    { label: "Rename…", hotkey: "F2", run: () => askForName(layer) },
    { label: "Duplicate", run: () => layers.copy(layer) },
    {
      label: "Move up",
      hotkey: "Alt+ArrowUp",
      line: true,
      enabled: layer < all.length - 1,
      run: () => layers.moveLayer(layer, layer + 1),
    },
    {
      label: "Move down",
      hotkey: "Alt+ArrowDown",
      enabled: layer > 0,
      run: () => layers.moveLayer(layer, layer - 1),
    },
    { label: "Remove", hotkey: "Delete", line: true, run: () => layers.remove(layer) },
  ];
}
