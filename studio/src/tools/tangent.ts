// Motion curves: what can be held, and what to say where nothing can.

import { keys, rigOf, takeName, takeOf } from "../state/document";
import { lastFrame, rate, take } from "../state/view";
import type { RigInfo, PointRef } from "../wire/messages";
import { fitFirst, type Refusal } from "./refusal";

/** Why a point cannot be dragged at a frame; null where it can. */
export function whyNot(spot: PointRef, frame: number): Refusal | null {
  const samples = fitFirst(spot);
  if (samples) return samples;
  if (!isKeyPose(spot, frame) || isBaked(spot, frame)) return null;
  return {
    text: "This is a key pose: curves bend between keys.",
    press: "Pose it",
    tool: "pose",
  };
}

/** Whether the frames beside this one are key poses, too: for such clips the tool has an offer. */
function isBaked(spot: PointRef, frame: number): boolean {
  const beside = [frame - 1, frame + 1].filter((each) => each >= 0 && each <= lastFrame.value);
  return beside.every((each) => isKeyPose(spot, each));
}

/** Whether every channel that moves a point has a key at a frame: tangents cannot change such a pose. */
export function isKeyPose(spot: PointRef, frame: number): boolean {
  const name = spot.character ?? "";
  const rig = rigOf(name);
  const told = keys.value.get(takeName(name, take.value));
  if (!rig || !told || !takeOf(name, take.value)) return false;
  const slack = 0.02 / rate.value;
  const time = frame / rate.value;
  let some = false;
  for (const channel of channelsAbove(rig, rig.joints.indexOf(spot.joint))) {
    const rows = told.get(channel)?.rows;
    if (!rows || rows.length < 18) continue; // one key or none: it does not move
    some = true;
    let here = false;
    for (let k = 0; k < rows.length && !here; k += 9) here = Math.abs(rows[k]! - time) < slack;
    if (!here) return false;
  }
  return some;
}

/** Channels of a joint and of all that carry it. */
export function channelsAbove(rig: RigInfo, joint: number): number[] {
  const chain = new Set<number>();
  for (let each = joint; each >= 0; each = rig.parents[each] ?? -1) chain.add(each);
  return rig.channels.flatMap((channel, c) => (chain.has(channel.joint) ? [c] : []));
}
