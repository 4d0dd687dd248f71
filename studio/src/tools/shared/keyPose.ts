// Key poses: frames at which every channel that moves a point has a key.

import { keys, rigOf, takeName, takeOf } from "../../state/document";
import { lastFrame, rate, take } from "../../state/view";
import type { RigInfo, PointRef } from "../../wire/messages";

/** Whether the frames beside a key pose are key poses, too, as in a baked clip. */
export function isBetweenKeyPoses(point: PointRef, frame: number): boolean {
  const beside = [frame - 1, frame + 1].filter((each) => each >= 0 && each <= lastFrame.value);
  return beside.every((each) => isKeyPose(point, each));
}

/** Whether every channel that moves a point has a key at a frame: tangents cannot change such a pose. */
export function isKeyPose(point: PointRef, frame: number): boolean {
  const name = point.character ?? "";
  const rig = rigOf(name);
  const channels = keys.value.get(takeName(name, take.value));
  if (!rig || !channels || !takeOf(name, take.value)) return false;
  const slack = 0.02 / rate.value;
  const time = frame / rate.value;
  let some = false;
  for (const channel of channelsAbove(rig, rig.joints.indexOf(point.joint))) {
    const rows = channels.get(channel)?.rows;
    if (!rows || rows.length < 18) continue; // one key or none: it does not move
    some = true;
    let here = false;
    for (let k = 0; k < rows.length && !here; k += 9) here = Math.abs(rows[k]! - time) < slack;
    if (!here) return false;
  }
  return some;
}

/** Channels of a joint and of all its ancestors. */
function channelsAbove(rig: RigInfo, joint: number): number[] {
  const chain = new Set<number>();
  for (let each = joint; each >= 0; each = rig.parents[each] ?? -1) chain.add(each);
  return rig.channels.flatMap((channel, c) => (chain.has(channel.joint) ? [c] : []));
}
