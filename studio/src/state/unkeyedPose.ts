// Poses without auto key: a pose stays open until it is keyed, and is lost when the frame changes.

import { effect } from "@preact/signals-core";
import { commitInteraction, interaction, leaveUnkeyed, lostPose } from "./interaction";
import { toast } from "./receive";
import { autoKey, frame, rate } from "./view";
import { traitsOf } from "./toolTraits";

/** Whether the release of a drag leaves the pose open: auto key is off, and the tool keys poses. */
export function staysUnkeyed(tool: string): boolean {
  return !autoKey.peek() && traitsOf(tool).autoKey !== undefined;
}

/** Keys the pose that is not keyed yet; false where there is none. */
export function keyUnkeyed(): boolean {
  if (!interaction.peek()?.unkeyed) return false;
  commitInteraction();
  return true;
}

export function startUnkeyedPoses(): void {
  effect(() => {
    const now = interaction.value;
    if (now?.unkeyed && now.open && Math.abs(frame.value - now.time * rate.peek()) > 1e-3)
      leaveUnkeyed();
  });
  effect(() => {
    const at = lostPose.value;
    if (at === null) return;
    const text = `The pose at frame ${Math.round(at * rate.peek())} was not keyed and is lost`;
    toast(`${text}: auto key is off. Press I to key a pose before you leave its frame.`, "warning");
    lostPose.value = null;
  });
}
