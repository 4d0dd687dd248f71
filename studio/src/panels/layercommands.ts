// The verbs of layers and of the range of edits, for the palette and the menus.

import { addCommands, type Command } from "../state/commands";
import { takeOf } from "../state/document";
import * as layers from "../state/layers";
import { character, take, tool } from "../state/view";
import { anyRange, asPlayed, fromHere, toHere, wholeTake } from "../tools/spacetime";
import { renameChosen } from "./layers";

const some = () => layers.layersHere().length > 0;
const chosen = () => layers.chosenLayer();
const isMuted = () => layers.layersHere()[chosen()]?.muted ?? false;

function verb(id: string, label: string, run: () => void, enabled: () => boolean = some): Command {
  return { id: `layers.${id}`, label, group: "Layers", enabled, run };
}

const RANGE: [id: string, label: string, run: () => void][] = [
  ["from_here", "Edit from this frame", fromHere],
  ["to_here", "Edit to this frame", toHere],
  ["as_played", "Edit the playback range", asPlayed],
  ["whole", "Edit the whole take", wholeTake],
  ["any", "Edit around the hand, or a short take whole", anyRange],
];

export function addLayerCommands(): void {
  addCommands([
    ...RANGE.map(([id, label, run]) =>
      verb(`range_${id}`, label, run, () => tool.value === "spacetime"),
    ),
    {
      ...verb("mute", "Mute the chosen layer", () => layers.mute(chosen(), !isMuted())),
      checked: isMuted,
    },
    verb("rename", "Rename the chosen layer…", renameChosen),
    verb("copy", "Duplicate the chosen layer", () => layers.copy(chosen())),
    verb(
      "raise",
      "Raise the chosen layer",
      () => layers.moveLayer(chosen(), chosen() + 1),
      () => chosen() < layers.layersHere().length - 1,
    ),
    verb(
      "lower",
      "Lower the chosen layer",
      () => layers.moveLayer(chosen(), chosen() - 1),
      () => chosen() > 0,
    ),
    verb("remove", "Remove the chosen layer", () => layers.remove(chosen())),
    verb("flatten", "Flatten layers into keys", layers.flatten),
    verb(
      "bake",
      "Bake layers into the samples",
      layers.bake,
      () => some() && takeOf(character.value, take.value)?.keyed === false,
    ),
  ]);
}
