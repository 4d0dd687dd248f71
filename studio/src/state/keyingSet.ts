// The keying set: which joints and channels keys and pose commands act on.

import { keys, rigOf, takeName } from "./document";
import { character, kept, points, take } from "./view";

export const KEYING_SETS = {
  selected: "Selected",
  children: "Selected, and below",
  rotation: "Rotation",
  position: "Position",
  available: "Available",
  whole: "Whole character",
} as const;
export type KeyingSet = keyof typeof KEYING_SETS;

export const keyingSet = kept<KeyingSet>("keying_set", "selected");

const KINDS: Partial<Record<KeyingSet, RegExp>> = {
  rotation: /^(rotate|quaternion)/,
  position: /^translate/,
};

/** Joints that a pose command acts on, by index; none is the whole character, as where nothing is selected. */
export function posedJoints(): number[] {
  const rig = rigOf(character.peek());
  if (!rig || keyingSet.peek() === "whole") return [];
  const own = points.peek().filter((each) => (each.character || rig.name) === rig.name);
  const chosen = new Set(own.map((each) => rig.joints.indexOf(each.joint)));
  if (keyingSet.peek() === "children")
    rig.parents.forEach((parent, joint) => chosen.has(parent) && chosen.add(joint)); // parents come first
  return [...chosen].filter((joint) => joint >= 0).sort((a, b) => a - b);
}

/** Channels that are keyed, by index; none is all that have keys. */
export function keyedChannels(): number[] {
  const rig = rigOf(character.peek());
  const joints = new Set(posedJoints());
  if (!rig || joints.size === 0) return [];
  const now = keys.peek().get(takeName(character.peek(), take.peek()));
  const kind = KINDS[keyingSet.peek()];
  return rig.channels.flatMap((channel, index) => {
    const fits = joints.has(channel.joint) && (kind?.test(channel.kind) ?? true);
    const has = keyingSet.peek() !== "available" || now?.has(index);
    return fits && has ? [index] : [];
  });
}
