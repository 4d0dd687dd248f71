// Hands: a palm with its fingers, or a mitten where there are not enough of them.

import { Vector3 } from "three";
import type { Limb } from "./anatomy";
import { nearest, reaches, within, type Figure } from "./frame";
import { shapeBone } from "./limbs";
import { bending, eased, type Clay, type Hold, type Ring } from "./loft";

const SIDES = 18;

/** Share of the way, half width, half thickness; in parts of how tall the figure is. */
const PALM = [
  [0, 0.0155, 0.0145],
  [0.45, 0.024, 0.0135],
  [0.8, 0.0255, 0.0115],
  [1, 0.024, 0.0105],
];
const MITTEN = [
  [0, 0.015, 0.014],
  [0.3, 0.0215, 0.0128],
  [0.55, 0.0225, 0.0112],
  [0.85, 0.0175, 0.009],
  [1, 0.0145, 0.008],
];

interface Hand {
  wrist: number;
  root: Vector3;
  way: Vector3; // along the fingers
  side: Vector3; // towards the thumb
  long: number;
  thumbs: number[][];
  fingers: number[][];
  knuckles: number[]; // one of each finger
}

export function shapeHand(clay: Clay, figure: Figure, arm: Limb): void {
  const hand = handOf(figure, arm);
  const whole = hand.fingers.length > 2;
  if (whole) shapePalm(clay, figure, hand);
  else shapeMitten(clay, figure, hand);
  const { tree, places, tall } = figure;
  for (const joint of new Set([...hand.thumbs, ...(whole ? hand.fingers : [])].flat())) {
    const thick = /thumb/i.test(tree.joints[joint]!) ? 0.0092 : 0.0076;
    const parent = tree.parents[joint]!;
    shapeBone(clay, parent, places[parent]!, places[joint]!, () => thick * tall, 2, 8);
  }
}

function handOf(figure: Figure, arm: Limb): Hand {
  const { tree, places, tall } = figure;
  const wrist = arm.joints.at(-1)!;
  const root = places[wrist]!;
  const all = reaches(tree, wrist).filter(
    (chain) => places[chain.at(-1)!]!.distanceTo(root) > 0.01 * tall,
  );
  const thumbs = all.filter((chain) => chain.some((joint) => /thumb/i.test(tree.joints[joint]!)));
  const fingers = all.filter((chain) => !thumbs.includes(chain));
  const way = fingers.reduce(
    (sum, chain) => sum.add(places[chain.at(-1)!]!).sub(root),
    new Vector3(),
  );
  if (way.length() < 0.01 * tall) way.copy(root).sub(places[arm.joints.at(-2)!]!);
  way.normalize();
  const along = (joint: number) => places[joint]!.clone().sub(root).dot(way);
  const long = within(
    Math.max(0, ...fingers.map((chain) => along(chain.at(-1)!))),
    0.095 * tall,
    0.125 * tall,
  );
  const knuckles = fingers.map((chain) =>
    nearest(chain, (joint) => Math.abs(along(joint) - 0.5 * long)),
  );
  return {
    wrist,
    root,
    way,
    side: sideOf(figure, root, way, thumbs, knuckles),
    long,
    thumbs,
    fingers,
    knuckles,
  };
}

function shapePalm(clay: Clay, { places, tall }: Figure, hand: Hand): void {
  const { wrist, root, way, side, knuckles } = hand;
  const reach = (direction: Vector3) =>
    knuckles.map((joint) => places[joint]!.clone().sub(root).dot(direction));
  const wide = within(Math.max(...reach(side).map(Math.abs)) / tall / 0.016, 0.8, 1.4);
  const long = reach(way).reduce((sum, each) => sum + each, 0) / knuckles.length + 0.004 * tall;
  const stops = PALM.map(([at, half, thick]) => [at!, half! * wide, thick!]);
  shapeFlat(clay, { ...hand, long }, tall, stops, () => [[wrist, 1]]);
}

function shapeMitten(clay: Clay, { places, tall }: Figure, hand: Hand): void {
  const { wrist, root, way, knuckles } = hand;
  const bend = knuckles[0] ?? wrist;
  const from = places[bend]!.clone().sub(root).dot(way);
  shapeFlat(clay, hand, tall, MITTEN, bending(wrist, bend, from, 0.032 * tall));
}

/** Towards the thumb, or along the knuckles, or forwards as hands hang. */
function sideOf(
  { places, chest, tall }: Figure,
  root: Vector3,
  way: Vector3,
  thumbs: number[][],
  knuckles: number[],
): Vector3 {
  const guesses = thumbs.map((chain) => places[chain.at(-1)!]!.clone().sub(root));
  if (knuckles.length > 1)
    guesses.unshift(places[knuckles[0]!]!.clone().sub(places[knuckles.at(-1)!]!));
  guesses.push(chest.front.clone().multiplyScalar(tall), chest.up.clone().multiplyScalar(tall));
  const level = guesses.map((each) => each.addScaledVector(way, -each.dot(way)));
  return (level.find((each) => each.length() > 0.01 * tall) ?? level.at(-1)!).normalize();
}

/** A flat piece along the hand, rounded at its end. */
function shapeFlat(
  clay: Clay,
  { root, way, side, long }: Hand,
  tall: number,
  stops: readonly (readonly number[])[],
  hold: (along: number) => Hold,
): void {
  const thick = new Vector3().crossVectors(way, side);
  const end = 0.016 * tall; // what the rounding takes
  const at = (along: number) => root.clone().addScaledVector(way, along);
  const ring = (along: number, round: number): Ring => ({
    centre: at(along),
    u: side.clone().multiplyScalar(round * tall * eased(stops, within(along / long, 0, 1))),
    v: thick.clone().multiplyScalar(round * tall * eased(stops, within(along / long, 0, 1), 2)),
    square: 2.4,
    hold: hold(along),
  });
  const rings: Ring[] = [{ centre: at(-0.014 * tall), hold: hold(0) }, ring(-0.008 * tall, 0.8)];
  for (let i = 0; i <= 8; i++) rings.push(ring(((long - end) * i) / 8, 1));
  for (const share of [0.4, 0.7, 0.92])
    rings.push(ring(long - end + share * end, Math.sqrt(1 - share * share)));
  rings.push({ centre: at(long), hold: hold(long) });
  clay.loft(rings, SIDES);
}
