// Hands and feet.

import { Vector3 } from "three";
import type { Limb } from "./anatomy";
import { furthest, reaches, within, type Figure } from "./frame";
import { shapeBone } from "./limbs";
import { eased, type Clay, type Hold, type Ring } from "./loft";

const SIDES = 18;

export function shapeEnds(clay: Clay, figure: Figure): void {
  for (const arm of figure.arms) shapeHand(clay, figure, arm);
  for (const leg of figure.legs) shapeFoot(clay, figure, leg);
}

/** Share of the way, half width, half thickness; in parts of how tall the figure is. */
const PALM = [[0, 0.0155, 0.0145], [0.45, 0.024, 0.0135], [0.8, 0.0255, 0.0115], [1, 0.024, 0.0105]];
const MITTEN = [[0, 0.015, 0.014], [0.3, 0.0215, 0.0128], [0.55, 0.0225, 0.0112], [0.85, 0.0175, 0.009], [1, 0.0145, 0.008]];

/** A palm with its fingers, or a mitten where there are not enough of them. */
function shapeHand(clay: Clay, figure: Figure, arm: Limb): void {
  const { tree, places, tall } = figure;
  const wrist = arm.joints.at(-1)!;
  const root = places[wrist]!;
  const all = reaches(tree, wrist).filter((chain) => places[chain.at(-1)!]!.distanceTo(root) > 0.01 * tall);
  const thumbs = all.filter((chain) => chain.some((joint) => /thumb/i.test(tree.joints[joint]!)));
  const fingers = all.filter((chain) => !thumbs.includes(chain));
  const way = fingers.reduce((sum, chain) => sum.add(places[chain.at(-1)!]!).sub(root), new Vector3());
  if (way.length() < 0.01 * tall) way.copy(root).sub(places[arm.joints.at(-2)!]!);
  way.normalize();
  const along = (joint: number) => places[joint]!.clone().sub(root).dot(way);
  const long = within(Math.max(0, ...fingers.map((chain) => along(chain.at(-1)!))), 0.095 * tall, 0.125 * tall);
  const knuckles = fingers.map((chain) => nearest(chain, (joint) => Math.abs(along(joint) - 0.5 * long)));
  const side = sideOf(figure, root, way, thumbs, knuckles);
  const whole = fingers.length > 2;
  if (whole) {
    const spread = Math.max(...knuckles.map((joint) => Math.abs(places[joint]!.clone().sub(root).dot(side))));
    const wide = within(spread / tall / 0.016, 0.8, 1.4);
    const end = knuckles.reduce((sum, joint) => sum + along(joint), 0) / knuckles.length + 0.004 * tall;
    shapeFlat(clay, root, way, side, end, tall, PALM.map(([at, half, thick]) => [at!, half! * wide, thick!]), () => [[wrist, 1]]);
  } else {
    const bend = knuckles[0];
    const bent = bend === undefined ? () => [[wrist, 1]] as const : bending(wrist, bend, along(bend), tall);
    shapeFlat(clay, root, way, side, long, tall, MITTEN, bent);
  }
  const drawn = new Set((whole ? all : thumbs).flat());
  for (const joint of drawn) {
    const thick = /thumb/i.test(tree.joints[joint]!) ? 0.0092 : 0.0076;
    const parent = tree.parents[joint]!;
    shapeBone(clay, parent, places[parent]!, places[joint]!, () => thick * tall, 2, 8);
  }
}

/** Towards the thumb, or along the knuckles, or forwards as hands hang. */
function sideOf({ places, chest, tall }: Figure, root: Vector3, way: Vector3, thumbs: number[][], knuckles: number[]): Vector3 {
  const guesses = thumbs.map((chain) => places[chain.at(-1)!]!.clone().sub(root));
  if (knuckles.length > 1) guesses.unshift(places[knuckles[0]!]!.clone().sub(places[knuckles.at(-1)!]!));
  guesses.push(chest.front.clone().multiplyScalar(tall), chest.up.clone().multiplyScalar(tall));
  const level = guesses.map((each) => each.addScaledVector(way, -each.dot(way)));
  return (level.find((each) => each.length() > 0.01 * tall) ?? level.at(-1)!).normalize();
}

/** A flat piece along a way, rounded at its end. */
function shapeFlat(
  clay: Clay,
  root: Vector3,
  way: Vector3,
  side: Vector3,
  long: number,
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
  for (const share of [0.4, 0.7, 0.92]) rings.push(ring(long - end + share * end, Math.sqrt(1 - share * share)));
  rings.push({ centre: at(long), hold: hold(long) });
  clay.loft(rings, SIDES);
}

/** Share from heel to tip, half width, height over the sole; in parts of how tall the figure is. */
const SHOE = [[0, 0.012, 0.022], [0.07, 0.0195, 0.034], [0.27, 0.0215, 0.046], [0.45, 0.023, 0.04], [0.66, 0.0275, 0.026], [0.88, 0.025, 0.018], [1, 0.013, 0.011]];
const ANKLE = 0.043; // its height over the sole
const BALL = 0.014;

/** A wedge from the heel to the tip of the toes, which bends where toes do. */
function shapeFoot(clay: Clay, figure: Figure, leg: Limb): void {
  const { tree, places, tall, hips } = figure;
  const [ankle, knee] = [leg.joints.at(-1)!, leg.joints[leg.middle]!];
  const root = places[ankle]!;
  const shin = root.clone().sub(places[knee]!).normalize();
  const tip = furthest(tree, ankle, places);
  const toe = nearest(reaches(tree, ankle).find((chain) => chain.includes(tip)) ?? [ankle], (joint) => Math.abs(places[joint]!.distanceTo(root) - 0.08 * tall));
  const out = places[toe]!.clone().sub(root);
  if (out.length() < 0.02 * tall) out.copy(hips.front).multiplyScalar(0.08 * tall).addScaledVector(shin, 0.03 * tall);
  const side = new Vector3().crossVectors(shin, out).normalize();
  const front = soleOf(side, out, places[tip]!.clone().sub(places[toe]!), tall);
  const up = new Vector3().crossVectors(front, side);
  if (up.dot(shin) > 0) up.negate();
  const reach = within(places[tip]!.clone().sub(root).dot(front) + 0.008 * tall, 0.1 * tall, 0.14 * tall);
  const low = toe === ankle ? ANKLE * tall : within(-out.dot(up) + BALL * tall, 0.03 * tall, 0.06 * tall);
  const heel = root.clone().addScaledVector(up, -low).addScaledVector(front, -0.036 * tall);
  const long = reach + 0.036 * tall;
  const bend = toe === ankle || toe === tip ? long : out.dot(front) + 0.036 * tall;
  clay.loft(shoe(heel, front, side, up, long, tall, bending(ankle, toe, bend, tall)), SIDES);
}

/** Held by one joint up to a place, by another beyond it, by both around it. */
function bending(near: number, far: number, from: number, tall: number): (along: number) => Hold {
  return (along) => {
    const share = within((along - from) / (0.032 * tall) + 0.5, 0, 1);
    return [[near, 1 - share], [far, share]];
  };
}

function shoe(heel: Vector3, front: Vector3, side: Vector3, up: Vector3, long: number, tall: number, hold: (along: number) => Hold): Ring[] {
  const high = (share: number) => 0.5 * tall * eased(SHOE, share, 2);
  const at = (share: number) => heel.clone().addScaledVector(front, share * long).addScaledVector(up, high(share));
  const rings: Ring[] = [{ centre: at(0).addScaledVector(front, -0.003 * tall), hold: hold(0) }];
  for (let i = 0; i <= 14; i++) {
    const share = i / 14;
    const [u, v] = [side.clone().multiplyScalar(tall * eased(SHOE, share)), up.clone().multiplyScalar(high(share))];
    rings.push({ centre: at(share), u, v, square: 2.8, hold: hold(share * long) });
  }
  rings.push({ centre: at(1).addScaledVector(front, 0.005 * tall), hold: hold(long) });
  return rings;
}

/** Which way the sole goes: as the toes lie where they bend up, else as feet are built. */
function soleOf(side: Vector3, out: Vector3, toes: Vector3, tall: number): Vector3 {
  const way = out.clone().addScaledVector(side, -out.dot(side)).normalize();
  const lying = toes.clone().addScaledVector(side, -toes.dot(side)).normalize();
  const rise = way.angleTo(lying);
  if (toes.length() > 0.02 * tall && rise > 0.1 && rise < 0.8) return lying;
  const slope = Math.asin(within(((ANKLE - BALL) * tall) / out.length(), 0, 0.7));
  return way.applyAxisAngle(side, slope);
}

function nearest(joints: readonly number[], off: (joint: number) => number): number {
  return joints.reduce((best, joint) => (off(joint) < off(best) ? joint : best));
}
