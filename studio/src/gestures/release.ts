// What becomes of an interaction when the pointer is released.

import { commitInteraction, interaction, leaveForKeying, leaveOpen } from "../state/interaction";
import { staysUnkeyed } from "../state/unkeyedPose";
import { toolOf } from "../tools/shared/registry";
import { handlesOf } from "../viewport/toolOverlays";

/** Commits it; where the tool shows handles only now, or auto key is off, it stays open. */
export function releaseInteraction(): void {
  const now = interaction.peek();
  if (!now) return;
  const { gestures, drawsAtRest } = toolOf(now.tool);
  const goesOn = gestures.includes("drag") && !drawsAtRest && handlesOf(now.id).length > 0;
  if (now.point && staysUnkeyed(now.tool)) leaveForKeying();
  else if (goesOn) leaveOpen();
  else commitInteraction();
}
