// Which joints of a skeleton are its hips, spine, head and limbs: by their names and how they hang together.

import type { Vector3 } from "three";
import { isNamed, mirrored, labelOf } from "./words";

export interface Tree {
  readonly joints: readonly string[];
  readonly parents: readonly number[];
}

/** An arm from shoulder to wrist, or a leg from hip to ankle. */
export interface Limb {
  joints: number[];
  middle: number; // which of them is the elbow or knee
  collar: number; // what carries the first of them
}

/** Pairs are left, right. */
export interface Anatomy {
  root: number; // carries all the rest
  spine: number[]; // from what carries the legs to what carries the arms
  neck: number[]; // what follows, up to the head
  head: number;
  arms: [Limb, Limb];
  legs: [Limb, Limb];
}

const HAND = ["hand", "wrist"];
const FOOT = ["foot", "ankle"];
const TOE = ["toe", "toes", "toebase"];

/** Null where this is no body with two arms, two legs and a head. */
export function anatomyOf(tree: Tree, places: readonly Vector3[]): Anatomy | null {
  const wrists = pair(tree, HAND);
  const ankles = pair(tree, highest(tree, FOOT).length ? FOOT : TOE);
  if (!wrists || !ankles) return null;
  const [pelvis, chest] = [meeting(tree, ankles), meeting(tree, wrists)];
  const root = meeting(tree, [pelvis, chest]);
  const head = headOf(tree, root);
  if (root < 0 || head < 0) return null;
  const toChest = upwards(tree, chest);
  const spine = toChest.slice(0, toChest.indexOf(root) + 1).reverse();
  if (pelvis !== root) spine.unshift(pelvis); // legs and spine hang side by side
  const toHead = upwards(tree, head);
  const branch = toHead.findIndex((joint) => spine.includes(joint));
  if (branch < 1) return null;
  const arms = wrists.map((wrist) => limbOf(tree, places, chest, wrist));
  const legs = ankles.map((ankle) => limbOf(tree, places, pelvis, ankle));
  if (![...arms, ...legs].every((limb) => limb)) return null;
  return {
    root,
    spine,
    neck: toHead.slice(0, branch).reverse(),
    head,
    arms: arms as [Limb, Limb],
    legs: legs as [Limb, Limb],
  };
}

/** Whether it is upright in these places: legs under the hips, the head over them. */
export function stands(anatomy: Anatomy, places: readonly Vector3[]): boolean {
  const at = (joint: number | undefined) => places[joint!]!;
  const straight = (path: number[], least: number, way: 1 | -1) =>
    way * (at(path.at(-1)).y - at(path[0]).y) > least * lengthOf(path, places);
  const { spine, neck, arms, legs } = anatomy;
  const trunk = [...spine, ...neck];
  const size = lengthOf(legs[0].joints, places) + lengthOf(trunk, places);
  const long = (limb: Limb, least: number) =>
    [limb.joints.slice(0, limb.middle + 1), limb.joints.slice(limb.middle)].every(
      (part) => lengthOf(part, places) > least * size,
    );
  return (
    size > 0 &&
    straight(trunk, 0.75, 1) &&
    legs.every((leg) => straight(leg.joints, 0.75, -1) && long(leg, 0.12)) &&
    arms.every((arm) => long(arm, 0.06))
  );
}

export function lengthOf(path: readonly number[], places: readonly Vector3[]): number {
  return path
    .slice(1)
    .reduce((sum, joint, i) => sum + places[joint]!.distanceTo(places[path[i]!]!), 0);
}

/** A joint and all it hangs on, itself first. */
export function upwards(tree: Tree, joint: number): number[] {
  const path: number[] = [];
  for (let each = joint; each >= 0; each = tree.parents[each]!) path.push(each);
  return path;
}

export function childrenOf(tree: Tree, joint: number): number[] {
  return tree.parents.flatMap((parent, j) => (parent === joint ? [j] : []));
}

/** The two highest joints of such a name, left first; of more, the two that mirror; null if that is not one pair. */
function pair(tree: Tree, parts: readonly string[]): [number, number] | null {
  const candidates = highest(tree, parts);
  const found = candidates.length > 2 ? plainest(tree, candidates) : candidates;
  if (found.length !== 2) return null;
  const [a, b] = found as [number, number];
  const names = [tree.joints[a]!.toLowerCase(), tree.joints[b]!.toLowerCase()];
  const at = [...names[0]!].findIndex((letter, i) => letter !== names[1]![i]);
  return names[0]![at] === "r" && names[1]![at] === "l" ? [b, a] : [a, b];
}

/** Those that have a mirrored one, and of them those of the fewest words. */
function plainest(tree: Tree, joints: readonly number[]): number[] {
  const named = (joint: number) => tree.joints[joint]!;
  const paired = joints.filter((joint) =>
    joints.some((other) => mirrored(named(joint), named(other))),
  );
  const fewest = Math.min(...paired.map((joint) => labelOf(named(joint)).length));
  return paired.filter((joint) => labelOf(named(joint)).length === fewest);
}

function highest(tree: Tree, parts: readonly string[]): number[] {
  const named = tree.joints.map((name) => isNamed(name, parts));
  return tree.joints.flatMap((_, j) =>
    named[j] && !upwards(tree, j).some((above) => above !== j && named[above]) ? [j] : [],
  );
}

/** The lowest joint that carries both. */
function meeting(tree: Tree, [a, b]: [number, number]): number {
  const over = upwards(tree, b);
  return upwards(tree, a).find((joint) => over.includes(joint)) ?? -1;
}

/** By name, or where the neck ends. */
function headOf(tree: Tree, root: number): number {
  const carried = (joint: number) => upwards(tree, joint).includes(root);
  const head = highest(tree, ["head", "skull"]).find(carried);
  if (head !== undefined) return head;
  let neck = highest(tree, ["neck", "lowerneck", "upperneck"]).find(carried) ?? -1;
  for (
    let next = neck;
    next >= 0 && !/_End$/.test(tree.joints[next]!);
    next = childrenOf(tree, next)[0] ?? -1
  )
    neck = next;
  return neck;
}

/** From the shoulder or hip on: where two straight stretches of like length begin. */
function limbOf(tree: Tree, places: readonly Vector3[], from: number, to: number): Limb | null {
  const path = upwards(tree, to).reverse();
  const whole = path.slice(path.indexOf(from) + 1);
  let best: { start: number; middle: number; odd: number } | null = null;
  for (let start = 0; start + 2 < whole.length; start++) {
    for (let middle = start + 1; middle + 1 < whole.length; middle++) {
      const parts = [whole.slice(start, middle + 1), whole.slice(middle)];
      const [upper, lower] = parts.map((part) => lengthOf(part, places)) as [number, number];
      const bent = parts.reduce((sum, part) => sum + bendOf(part, places), 0);
      const odd = Math.abs(Math.log(upper / lower)) + 10 * bent - 0.2 * Math.log(upper + lower);
      if (upper > 0 && lower > 0 && (!best || odd < best.odd - 1e-9)) best = { start, middle, odd };
    }
  }
  if (!best) return null;
  const { start, middle } = best;
  return {
    joints: whole.slice(start),
    middle: middle - start,
    collar: start > 0 ? whole[start - 1]! : from,
  };
}

/** How much longer a path is than the straight way; 0 is straight. */
function bendOf(path: readonly number[], places: readonly Vector3[]): number {
  return (
    lengthOf(path, places) / Math.max(places[path[0]!]!.distanceTo(places[path.at(-1)!]!), 1e-9) - 1
  );
}
