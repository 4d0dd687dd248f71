// The signals that the viewport depends on: a change of any redraws it.

import { composed, guides, wipe } from "../state/composition";
import * as doc from "../state/document";
import { constraintSignals } from "../state/constraints";
import { interaction } from "../state/interaction";
import { found } from "../state/footplants";
import { restOverlays } from "../state/restOverlays";
import * as view from "../state/view";

const SEEN = [
  doc.sceneInfo,
  doc.documentState,
  doc.poses,
  doc.livePoses,
  doc.barePoses,
  doc.curves,
  doc.previews,
  doc.lastEdit,
  interaction,
  found,
  restOverlays,
  composed,
  guides,
  wipe,
  view.options,
  view.character,
  view.take,
  view.points,
  view.outlined,
  view.frame,
  view.playing,
  view.range,
  view.selectedConstraint,
  view.ghosts,
  view.strobe,
  view.speedColours,
  view.orientationArrows,
  view.compare,
  view.original,
  view.showMesh,
  view.showBones,
  view.showMarkers,
  view.selectedOnlyMarkers,
  view.showConstraints,
  ...constraintSignals,
  view.tool,
  view.floorOn,
  view.lightEffects,
  view.followCharacter,
] as const;

export function watched(): void {
  for (const each of SEEN) void each.value;
}
