// A neutral body for skeletons that bring none: one skin, made from the lengths of their bones.

import {
  BufferGeometry,
  Float32BufferAttribute,
  Matrix4,
  Uint16BufferAttribute,
  Vector3,
} from "three";
import type { Placed } from "../pose";
import { anatomyOf, stands, type Anatomy, type Tree } from "./anatomy";
import { shapeFoot } from "./foot";
import { below, figureOf, type Figure } from "./frame";
import { shapeHand } from "./hand";
import { shapeHead, shapeNeck } from "./head";
import { shapeBone, shapeLimbs } from "./limbs";
import { Clay } from "./loft";
import { shapeTrunk } from "./trunk";

export interface Sculpture {
  skin: BufferGeometry; // in the world, with its joints and their shares
  pose: Placed; // in which it was made
}

/** The body in the first of these poses that is upright; null where it is no body, or never stands. */
export function sculpt(tree: Tree, rest: Placed, poses: Iterable<Placed>): Sculpture | null {
  for (const pose of poses) {
    const places = tree.joints.map((_, j) => new Vector3().fromArray(pose, 16 * j + 12));
    const anatomy = anatomyOf(tree, places);
    if (!anatomy) return null;
    if (!stands(anatomy, places)) continue;
    const figure = figureOf(tree, anatomy, places, headTurn(anatomy, rest, pose));
    const clay = new Clay();
    shapeTrunk(clay, figure);
    shapeNeck(clay, figure);
    shapeHead(clay, figure);
    shapeLimbs(clay, figure);
    for (const arm of figure.arms) shapeHand(clay, figure, arm);
    for (const leg of figure.legs) shapeFoot(clay, figure, leg);
    shapeOthers(clay, figure);
    return { skin: skinOf(clay), pose };
  }
  return null;
}

/** How the head is turned against the chest, beyond how both rest. */
function headTurn({ head, spine }: Anatomy, rest: Placed, pose: Placed): Matrix4 {
  const turn = (placed: Placed, joint: number) =>
    new Matrix4().extractRotation(new Matrix4().fromArray(placed, 16 * joint));
  const chest = spine.at(-1)!;
  return turn(pose, head)
    .multiply(turn(rest, head).transpose())
    .multiply(turn(rest, chest))
    .multiply(turn(pose, chest).transpose());
}

/** What else hangs on a body, such as a tail: thin. Eyes and the like are inside the head. */
function shapeOthers(clay: Clay, figure: Figure): void {
  const { tree, places, tall, root, spine, neck, head, arms, legs } = figure;
  const limbs = [...arms, ...legs].map((limb) => limb.joints);
  const ends = [head, ...limbs.map((joints) => joints.at(-1)!)];
  const shaped = new Set([
    ...spine,
    ...neck,
    ...limbs.flat(),
    ...arms.map((arm) => arm.collar),
    ...legs.map((leg) => leg.collar),
  ]);
  for (const end of ends) for (const joint of below(tree, end)) shaped.add(joint);
  for (const joint of below(tree, root)) {
    if (shaped.has(joint)) continue;
    const parent = tree.parents[joint]!;
    const long = places[joint]!.distanceTo(places[parent]!);
    const thick = Math.min(Math.max(0.1 * long, 0.005 * tall), 0.012 * tall);
    shapeBone(clay, parent, places[parent]!, places[joint]!, () => thick, 2, 8);
  }
}

function skinOf(clay: Clay): BufferGeometry {
  const skin = new BufferGeometry();
  skin.setIndex(clay.index);
  skin.setAttribute("position", new Float32BufferAttribute(clay.positions, 3));
  skin.setAttribute("skinIndex", new Uint16BufferAttribute(clay.joints, 4));
  skin.setAttribute("skinWeight", new Float32BufferAttribute(clay.shares, 4));
  skin.computeVertexNormals();
  return skin;
}
