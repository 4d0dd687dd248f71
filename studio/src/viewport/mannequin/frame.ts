// How a figure is built: its size, and which way its hips and chest face.

import { Matrix4, Vector3 } from "three";
import { childrenOf, lengthOf, upwards, type Anatomy, type Tree } from "./anatomy";

export interface Facing {
  left: Vector3;
  up: Vector3;
  front: Vector3;
}

export interface Figure extends Anatomy {
  tree: Tree;
  places: readonly Vector3[];
  tall: number; // m, of a person with such bones
  gaze: Facing; // of the head
  hips: Facing & { middle: Vector3; half: number }; // half of the way between both hip joints
  chest: Facing & { middle: Vector3; half: number };
}

/** `turn` is how the head is turned against the chest. */
export function figureOf(
  tree: Tree,
  anatomy: Anatomy,
  places: readonly Vector3[],
  turn = new Matrix4(),
): Figure {
  const { arms, legs, neck } = anatomy;
  const at = (joint: number) => places[joint]!;
  const [hip, shoulder] = [
    legs.map((leg) => at(leg.joints[0]!)),
    arms.map((arm) => at(arm.joints[0]!)),
  ];
  const middle = (ends: Vector3[]) => ends[0]!.clone().lerp(ends[1]!, 0.5);
  const [low, high] = [middle(hip), middle(shoulder)];
  const up = high.clone().sub(low).normalize();
  const legsLong = (lengthOf(legs[0].joints, places) + lengthOf(legs[1].joints, places)) / 2;
  const trunk = low.distanceTo(high) + high.distanceTo(at(neck[0]!)) + lengthOf(neck, places);
  const side = turnedRight(tree, anatomy, places, up, hip) ? 1 : -1;
  const facing = (ends: Vector3[]) =>
    faced(ends[0]!.clone().sub(ends[1]!).multiplyScalar(side), up);
  const half = (ends: Vector3[]) => ends[0]!.distanceTo(ends[1]!) / 2;
  const kept =
    side > 0
      ? anatomy
      : {
          ...anatomy,
          legs: [legs[1], legs[0]] as typeof legs,
          arms: [arms[1], arms[0]] as typeof arms,
        };
  const chest = facing(shoulder);
  return {
    ...kept,
    tree,
    places,
    tall: (legsLong + trunk) / 0.84, // from the ankles to the base of the skull
    hips: { ...facing(hip), middle: low, half: half(hip) },
    gaze: gazeOf(chest, turn),
    chest: { ...chest, middle: high, half: half(shoulder) },
  };
}

/** Left made level to `up`, and the front that follows. */
export function faced(left: Vector3, up: Vector3): Facing {
  const across = left.clone().addScaledVector(up, -left.dot(up)).normalize();
  return { left: across, up: up.clone(), front: new Vector3().crossVectors(across, up) };
}

/** The chest's facing, turned as the head is; where that leads away from upright, the chest's. */
function gazeOf({ left, up, front }: Facing, turn: Matrix4): Facing {
  const [across, over] = [left.clone().applyMatrix4(turn), up.clone().applyMatrix4(turn)];
  return over.dot(up) > 0.5 && across.dot(left) > 0.2 ? faced(across, over) : { left, up, front };
}

/** Whether left is left: by the names, or by where the toes point. */
function turnedRight(
  tree: Tree,
  { legs }: Anatomy,
  places: readonly Vector3[],
  up: Vector3,
  hip: Vector3[],
): boolean {
  const names = legs.map((leg) => tree.joints[leg.joints.at(-1)!]!.toLowerCase());
  const at = [...names[0]!].findIndex((letter, i) => letter !== names[1]![i]);
  if (names[0]![at] === "l" && names[1]![at] === "r") return true;
  const { front } = faced(hip[0]!.clone().sub(hip[1]!), up);
  const toes = legs.reduce((sum, leg) => {
    const ankle = leg.joints.at(-1)!;
    const tip = furthest(tree, ankle, places);
    return sum + front.dot(places[tip]!.clone().sub(places[ankle]!));
  }, 0);
  return Math.abs(toes) > 1e-6 ? toes > 0 : front.z >= 0;
}

/** Of all a joint carries, what is furthest from it; itself if it carries nothing. */
export function furthest(tree: Tree, joint: number, places: readonly Vector3[]): number {
  const from = places[joint]!;
  return below(tree, joint).reduce(
    (best, each) => (places[each]!.distanceTo(from) > places[best]!.distanceTo(from) ? each : best),
    joint,
  );
}

export function below(tree: Tree, joint: number): number[] {
  return tree.joints.flatMap((_, j) =>
    j !== joint && upwards(tree, j).includes(joint) ? [j] : [],
  );
}

/** The ways from a joint to each end of what it carries, without itself. */
export function reaches(tree: Tree, joint: number): number[][] {
  const ends = below(tree, joint).filter((each) => childrenOf(tree, each).length === 0);
  return ends.map((end) => {
    const path = upwards(tree, end);
    return path.slice(0, path.indexOf(joint)).reverse();
  });
}

export function within(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** The one for which something is least. */
export function nearest(joints: readonly number[], off: (joint: number) => number): number {
  return joints.reduce((best, joint) => (off(joint) < off(best) ? joint : best));
}
