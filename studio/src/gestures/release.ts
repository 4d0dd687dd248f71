// What becomes of an interaction when the pointer is released.

import { commitInteraction, interaction, leaveOpen } from "../state/interaction";
import { toolOf } from "../tools/shared/registry";
import { handlesOf } from "../viewport/toolOverlays";

/** Commits it; where the tool shows handles that can be dragged next, it stays open. */
export function releaseInteraction(): void {
  const now = interaction.peek();
  if (!now) return;
  const goesOn = toolOf(now.tool).gestures.includes("drag") && handlesOf(now.id).length > 0;
  if (goesOn) leaveOpen();
  else commitInteraction();
}
