// The chain of a drag: the joints above a held point that can move it.

import type { RigTold } from "../wire/messages";

/** A joint and those above it that have channels, from the joint up. */
export function jointsAbove(rig: Pick<RigTold, "joints" | "parents" | "channels">, name: string): number[] {
  const moving = new Set(rig.channels.map((channel) => channel.joint));
  const found: number[] = [];
  for (let joint = rig.joints.indexOf(name); joint >= 0; joint = rig.parents[joint] ?? -1) {
    if (moving.has(joint)) found.push(joint);
  }
  return found;
}
