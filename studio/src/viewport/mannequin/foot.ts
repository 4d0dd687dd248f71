// Feet: wedges from the heel to the tip of the toes.

import { Vector3 } from "three";
import type { Limb } from "./anatomy";
import { furthest, nearest, reaches, within, type Figure } from "./frame";
import { bending, eased, type Clay, type Hold, type Ring } from "./loft";

const SIDES = 18;

/** Share from heel to tip, half width, height over the sole; in parts of how tall the figure is. */
const SHOE = [
  [0, 0.012, 0.022],
  [0.07, 0.0195, 0.034],
  [0.27, 0.0215, 0.046],
  [0.45, 0.023, 0.04],
  [0.66, 0.0275, 0.026],
  [0.88, 0.025, 0.018],
  [1, 0.013, 0.011],
];
const ANKLE = 0.043; // its height over the sole
const BALL = 0.014;

/** A wedge from the heel to the tip of the toes, which bends where toes do. */
export function shapeFoot(clay: Clay, figure: Figure, leg: Limb): void {
  const { tree, places, tall, hips } = figure;
  const [ankle, knee] = [leg.joints.at(-1)!, leg.joints[leg.middle]!];
  const root = places[ankle]!;
  const shin = root.clone().sub(places[knee]!).normalize();
  const tip = furthest(tree, ankle, places);
  const toes = reaches(tree, ankle).find((chain) => chain.includes(tip)) ?? [ankle];
  const toe = nearest(toes, (joint) => Math.abs(places[joint]!.distanceTo(root) - 0.08 * tall));
  const out = places[toe]!.clone().sub(root);
  if (out.length() < 0.02 * tall)
    out
      .copy(hips.front)
      .multiplyScalar(0.08 * tall)
      .addScaledVector(shin, 0.03 * tall);
  const side = new Vector3().crossVectors(shin, out);
  if (side.length() < 0.1 * out.length()) side.copy(hips.left).negate(); // toes straight below the shin
  side.addScaledVector(shin, -side.dot(shin)).normalize();
  const front = soleOf(side, out, places[tip]!.clone().sub(places[toe]!), tall);
  const up = new Vector3().crossVectors(front, side);
  if (up.dot(shin) > 0) up.negate();
  const reach = within(
    places[tip]!.clone().sub(root).dot(front) + 0.008 * tall,
    0.1 * tall,
    0.14 * tall,
  );
  const low =
    toe === ankle ? ANKLE * tall : within(-out.dot(up) + BALL * tall, 0.03 * tall, 0.06 * tall);
  const heel = root
    .clone()
    .addScaledVector(up, -low)
    .addScaledVector(front, -0.036 * tall);
  const long = reach + 0.036 * tall;
  const bend = toe === ankle || toe === tip ? long : out.dot(front) + 0.036 * tall;
  clay.loft(
    shoe(heel, front, side, up, long, tall, bending(ankle, toe, bend, 0.032 * tall)),
    SIDES,
  );
}

function shoe(
  heel: Vector3,
  front: Vector3,
  side: Vector3,
  up: Vector3,
  long: number,
  tall: number,
  hold: (along: number) => Hold,
): Ring[] {
  const high = (share: number) => 0.5 * tall * eased(SHOE, share, 2);
  const at = (share: number) =>
    heel
      .clone()
      .addScaledVector(front, share * long)
      .addScaledVector(up, high(share));
  const rings: Ring[] = [{ centre: at(0).addScaledVector(front, -0.003 * tall), hold: hold(0) }];
  for (let i = 0; i <= 14; i++) {
    const share = i / 14;
    const [u, v] = [
      side.clone().multiplyScalar(tall * eased(SHOE, share)),
      up.clone().multiplyScalar(high(share)),
    ];
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
