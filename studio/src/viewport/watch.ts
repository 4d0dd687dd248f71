// All that the picture depends on: reading it here makes a new picture when any of it changes.

import * as doc from "../state/document";
import { boundSignals } from "../state/constraints";
import { held } from "../state/hands";
import { found } from "../state/plants";
import * as view from "../state/view";

const SEEN = [
  doc.cast,
  doc.story,
  doc.poses,
  doc.livePoses,
  doc.barePoses,
  doc.curves,
  doc.hands,
  doc.lastEdit,
  held,
  found,
  view.options,
  view.character,
  view.take,
  view.points,
  view.frame,
  view.playing,
  view.range,
  view.chosenWish,
  view.ghosts,
  view.strobe,
  view.speedColours,
  view.orientationArrows,
  view.compare,
  view.original,
  view.showMesh,
  view.showBones,
  view.showMarks,
  view.ownMarks,
  view.showConstraints,
  ...boundSignals,
  view.tool,
  view.floorOn,
  view.lightEffects,
  view.followCharacter,
] as const;

export function watched(): void {
  for (const each of SEEN) void each.value;
}
