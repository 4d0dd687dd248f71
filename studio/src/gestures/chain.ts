// The chain of a drag: the joints above the dragged point that can move it.

import type { RigInfo, PointRef } from "../wire/messages";

/** Joints that have channels, from the point up. Its own joint does not count where the point is the joint's place. */
export function jointsAbove(
  rig: Pick<RigInfo, "joints" | "parents" | "channels">,
  point: Pick<PointRef, "joint" | "offset">,
): number[] {
  const moving = new Set(rig.channels.map((channel) => channel.joint));
  const found: number[] = [];
  const own = rig.joints.indexOf(point.joint);
  const first = point.offset?.some((part) => part !== 0) ? own : (rig.parents[own] ?? -1);
  for (let joint = first; joint >= 0; joint = rig.parents[joint] ?? -1) {
    if (moving.has(joint)) found.push(joint);
  }
  return found;
}
