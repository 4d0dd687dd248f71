// What the game remembers from one visit to the next, and the puppet's place in it.

import { computed } from "@preact/signals-core";
import { sceneInfo } from "../state/document";
import { character, frame, kept } from "../state/view";
import { worldAt } from "../viewport/shownPose";
import type { Vec3 } from "../wire/messages";
import type { Sight } from "./ground";
import { BEGINNING, type Progress, type StageProp } from "./stages";

export const progress = kept<Progress>("stages_progress", BEGINNING);
/** The stage that is shown. */
export const shown = computed(() => progress.value.shown);
/** Where the virtual camera stands; null until the ground was tapped. */
export const sight = kept<Sight | null>("stages_sight", null);
/** The height of the camera above the ground, body heights. */
export const cameraHeight = kept("stages_height", 1.25);
/** How far the camera of a still picture looks above the horizon, rad. */
export const cameraPitch = kept("stages_pitch", -0.24);
export const props = kept<readonly StageProp[]>("stages_props", []);
/** Where the narrator stands on the ground, m. */
export const narratorPlace = kept<Vec3>("stages_narrator", [0, 0, 0]);
export const silent = kept("stages_silent", false);

/** Height of the chosen character, about, m. */
export const bodySize = computed(() => sceneInfo.value?.scale ?? 1);

/** Where the puppet stands, m; null until it is loaded. */
export function puppetPlace(at = frame.value): Vec3 | null {
  const rig = sceneInfo.value?.rigs.find(({ name }) => name === character.value);
  const root = rig && worldAt({ joint: rig.joints[0]!, character: rig.name }, at);
  return root ? [root.x, 0, root.z] : null;
}

/** Begins again with everything locked; the document stays as it is. */
export function restart(): void {
  progress.value = BEGINNING;
  sight.value = null;
  props.value = [];
}
