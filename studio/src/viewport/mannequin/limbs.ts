// Arms, legs, necks and whatever else is a line of bones: round, tapered, whole at every bend.

import { Vector3 } from "three";
import type { Limb } from "./anatomy";
import type { Figure } from "./frame";
import { eased, type Clay, type Ring } from "./loft";

const SIDES = 18;
const CAP = [0, 0.38, 0.71, 0.92]; // of a round end, as sines

/** Share of the way, half width; in parts of how tall the figure is. The elbow or knee is at 0.5. */
const ARM = [
  [0, 0.0285],
  [0.14, 0.0285],
  [0.3, 0.0255],
  [0.5, 0.02],
  [0.63, 0.022],
  [0.9, 0.0155],
  [1, 0.015],
];
const LEG = [
  [0, 0.04],
  [0.11, 0.0485],
  [0.3, 0.0435],
  [0.5, 0.03],
  [0.65, 0.0345],
  [0.88, 0.021],
  [1, 0.021],
];

export function shapeLimbs(clay: Clay, figure: Figure): void {
  for (const arm of figure.arms) {
    shapeLimb(clay, figure, arm, ARM);
    shapeCollar(clay, figure, arm);
  }
  for (const leg of figure.legs) shapeLimb(clay, figure, leg, LEG);
}

function shapeLimb(clay: Clay, figure: Figure, limb: Limb, stops: readonly number[][]): void {
  const { places, tall } = figure;
  const shares = sharesOf(limb, places);
  limb.joints.slice(1).forEach((to, i) => {
    const [low, high] = [shares[i]!, shares[i + 1]!];
    const width = (share: number) => tall * eased(stops, low + share * (high - low));
    shapeBone(
      clay,
      limb.joints[i]!,
      places[limb.joints[i]!]!,
      places[to]!,
      width,
      high - low > 0.3 ? 8 : 3,
    );
  });
}

/** How far along each joint is, with the elbow or knee half way. */
function sharesOf(limb: Limb, places: readonly Vector3[]): number[] {
  const steps = limb.joints.map((joint, i) =>
    i ? places[joint]!.distanceTo(places[limb.joints[i - 1]!]!) : 0,
  );
  const sum = (from: number, to: number) =>
    steps.slice(from + 1, to + 1).reduce((all, each) => all + each, 0);
  const { middle } = limb;
  const last = limb.joints.length - 1;
  return limb.joints.map((_, i) =>
    i <= middle
      ? (0.5 * sum(0, i)) / sum(0, middle)
      : 0.5 + (0.5 * sum(middle, i)) / sum(middle, last),
  );
}

/** From the root of the neck to the shoulder. */
function shapeCollar(clay: Clay, { places, tall, chest }: Figure, arm: Limb): void {
  const shoulder = places[arm.joints[0]!]!;
  const inner = chest.middle
    .clone()
    .addScaledVector(chest.up, 0.03 * tall)
    .lerp(shoulder, 0.15);
  const width = (share: number) => tall * (0.021 + 0.005 * share);
  shapeBone(
    clay,
    arm.collar,
    inner,
    shoulder.clone().addScaledVector(chest.up, 0.001 * tall),
    width,
    4,
  );
}

/** A round-ended piece from a place to another, held by one joint; nothing where they coincide. */
export function shapeBone(
  clay: Clay,
  joint: number,
  from: Vector3,
  to: Vector3,
  width: (share: number) => number,
  steps: number,
  sides = SIDES,
): void {
  const way = to.clone().sub(from);
  const long = way.length();
  if (long < 1e-6) return;
  way.divideScalar(long);
  const [u, v] = across(way);
  const hold = [[joint, 1]] as const;
  const ring = (along: number, half: number): Ring => ({
    centre: from.clone().addScaledVector(way, along),
    u: u.clone().multiplyScalar(half),
    v: v.clone().multiplyScalar(half),
    hold,
  });
  const [first, last] = [width(0), width(1)];
  const round = CAP.slice(1).map((sine) => [sine, Math.sqrt(1 - sine * sine)] as const);
  const rings: Ring[] = [{ centre: from.clone().addScaledVector(way, -first), hold }];
  for (const [sine, cosine] of round) rings.push(ring(-first * cosine, first * sine));
  for (let i = 0; i <= steps; i++) rings.push(ring((long * i) / steps, width(i / steps)));
  for (const [sine, cosine] of [...round].reverse())
    rings.push(ring(long + last * cosine, last * sine));
  rings.push({ centre: to.clone().addScaledVector(way, last), hold });
  clay.loft(rings, sides);
}

/** Two directions level to a third. */
export function across(way: Vector3): [Vector3, Vector3] {
  const aside = Math.abs(way.y) < 0.9 ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
  const u = aside.addScaledVector(way, -aside.dot(way)).normalize();
  return [u, new Vector3().crossVectors(way, u)];
}
