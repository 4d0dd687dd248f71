// The channels that a point's item has for itself: those of its limb.

import { channelPath } from "../state/channelPath";
import { rigOf } from "../state/document";
import { character } from "../state/view";
import type { PointRef, RigInfo } from "../wire/messages";

/** A joint, what hangs on it, and what is above it up to where the rig branches. */
export function limbOf(parents: readonly number[], joint: number): Set<number> {
  const children = (of: number) => parents.filter((parent) => parent === of).length;
  let top = joint;
  while ((parents[top] ?? -1) >= 0 && children(parents[top]!) === 1) top = parents[top]!;
  if ((parents[top] ?? -1) < 0) return new Set([joint]); // the root does not take all with it
  const limb = new Set([top]);
  parents.forEach((parent, each) => {
    if (limb.has(parent)) limb.add(each); // parents come before children
  });
  return limb;
}

/** The full names of a limb's channels. */
export function limbChannels(point: PointRef): string[] {
  const rig: RigInfo | undefined = rigOf(point.character || character.peek());
  const joint = rig?.joints.indexOf(point.joint) ?? -1;
  if (!rig || joint < 0) return [];
  const limb = limbOf(rig.parents, joint);
  return rig.channels.flatMap((channel, c) =>
    limb.has(channel.joint) ? [channelPath(rig, c)] : [],
  );
}
