// What becomes of an interaction when the pointer is released.

import { commitInteraction, interaction, leaveOpen } from "../state/interaction";
import { toolOf } from "../tools/shared/registry";
import { handlesOf } from "../viewport/toolOverlays";

/** Commits it; where the tool shows handles only now, it stays open for them. */
export function releaseInteraction(): void {
  const now = interaction.peek();
  if (!now) return;
  const { gestures, drawsAtRest } = toolOf(now.tool);
  const goesOn = gestures.includes("drag") && !drawsAtRest && handlesOf(now.id).length > 0;
  if (goesOn) leaveOpen();
  else commitInteraction();
}
