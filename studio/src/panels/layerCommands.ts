// Commands of layers and of the edit range.

import { addCommands, type Command } from "../state/commands";
import { takeOf } from "../state/document";
import * as layers from "../state/layers";
import { character, take } from "../state/view";
import type { EditRange } from "../tools/shared/editRange";
import { activeTool } from "../tools/shared/registry";
import { renameChosen } from "../controls/layerMenu";

const some = () => layers.layersHere().length > 0;
const chosen = () => layers.chosenLayer();
const isMuted = () => layers.layersHere()[chosen()]?.muted ?? false;

function verb(id: string, label: string, run: () => void, enabled: () => boolean = some): Command {
  return { id: `layers.${id}`, label, group: "Layers", enabled, run };
}

const RANGE: [id: string, label: string, run: (range: EditRange) => void][] = [
  ["from_here", "Edit range: from this frame", (range) => range.fromHere()],
  ["to_here", "Edit range: to this frame", (range) => range.toHere()],
  ["as_played", "Edit range: playback range", (range) => range.asPlayed()],
  ["whole", "Edit range: whole take", (range) => range.wholeTake()],
  ["any", "Edit range: automatic", (range) => range.automatic()],
];

export function addLayerCommands(): void {
  addCommands([
    ...RANGE.map(([id, label, run]) =>
      verb(
        `range_${id}`,
        label,
        () => {
          const range = activeTool().editRange;
          if (range) run(range);
        },
        () => activeTool().editRange !== undefined,
      ),
    ),
    {
      ...verb("mute", "Mute layer", () => layers.mute(chosen(), !isMuted())),
      checked: isMuted,
    },
    verb("rename", "Rename layer…", renameChosen),
    verb("copy", "Duplicate layer", () => layers.copy(chosen())),
    verb(
      "raise",
      "Move layer up",
      () => layers.moveLayer(chosen(), chosen() + 1),
      () => chosen() < layers.layersHere().length - 1,
    ),
    verb(
      "lower",
      "Move layer down",
      () => layers.moveLayer(chosen(), chosen() - 1),
      () => chosen() > 0,
    ),
    verb("remove", "Remove layer", () => layers.remove(chosen())),
    verb("flatten", "Flatten layers to keyframes", layers.flatten),
    verb(
      "bake",
      "Bake layers",
      layers.bake,
      () => some() && takeOf(character.value, take.value)?.keyed === false,
    ),
  ]);
}
