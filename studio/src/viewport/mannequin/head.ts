// The neck and the head.

import { childrenOf } from "./anatomy";
import { within, type Figure } from "./frame";
import { shapeBone } from "./limbs";
import { eased, type Clay, type Ring } from "./loft";

const SIDES = 28;
const ROUND = 9; // rings of the head between its ends
const NECK = 0.031; // half width, in parts of how tall the figure is
const NAPE = 0.025; // the same inside the head

export function shapeNeck(clay: Clay, { places, neck, spine, head, tall, chest }: Figure): void {
  const root = chest.middle.clone().addScaledVector(chest.front, -0.004 * tall);
  const path = [root, ...neck.map((joint) => places[joint]!)];
  const holders = [neck.length > 1 ? neck[0]! : spine.at(-1)!, ...neck];
  neck.forEach((to, i) => {
    const width = (share: number) => tall * (to === head ? NECK + (NAPE - NECK) * share : NECK);
    shapeBone(clay, holders[i]!, path[i]!, path[i + 1]!, width, 2);
  });
}

/** An egg with a chin; from the chin (-1) to the crown (1): half width, half depth, forward. */
const EGG = [
  [-1, 0.3, 0.34, 0.3],
  [-0.72, 0.64, 0.68, 0.2],
  [-0.3, 0.86, 0.87, 0.08],
  [0.3, 1, 1, -0.02],
  [1, 0.98, 1, -0.06],
];

/** The head's own facing is the chest's, as the skeleton rests. */
export function shapeHead(clay: Clay, figure: Figure): void {
  const { head, places, tall, gaze } = figure;
  const { crown, high } = headSize(figure);
  const place = (up: number, front: number) =>
    places[head]!.clone()
      .addScaledVector(gaze.up, crown - high + up)
      .addScaledVector(gaze.front, 0.012 * tall + front);
  const hold = [[head, 1]] as const;
  const rings: Ring[] = [];
  for (let i = 0; i <= ROUND + 1; i++) {
    const at = -Math.cos((Math.PI * i) / (ROUND + 1));
    const centre = place(at * high, eased(EGG, at, 3) * 0.05 * tall);
    const round = Math.max(1 - at * at, 0) ** 0.45;
    const u = gaze.left.clone().multiplyScalar(round * eased(EGG, at, 1) * 0.69 * high);
    const v = gaze.front.clone().multiplyScalar(round * eased(EGG, at, 2) * 0.83 * high);
    rings.push(i % (ROUND + 1) ? { centre, u, v, hold } : { centre, hold });
  }
  clay.loft(rings, SIDES);
  shapeBone(clay, head, places[head]!, place(-0.3 * high, -0.01 * tall), () => NAPE * tall, 2);
  const nose = (share: number) => high * (0.06 + 0.036 * share);
  shapeBone(
    clay,
    head,
    place(0.02 * high, 0.74 * high),
    place(-0.22 * high, 0.83 * high),
    nose,
    3,
    10,
  );
}

/** How far over the head's joint its top is, and half its height: by where its bone ends, as far as necks can be. */
function headSize({ tree, head, places, tall, chest, gaze }: Figure): {
  crown: number;
  high: number;
} {
  const ends = childrenOf(tree, head).map((child) => places[child]!.clone().sub(places[head]!));
  const tops = ends
    .filter((end) => end.dot(gaze.up) > 0.8 * end.length())
    .map((end) => end.dot(gaze.up));
  const bone = Math.max(0, ...tops);
  const base = places[head]!.clone().sub(chest.middle).dot(chest.up);
  const over = within(base + (bone > 0.03 * tall ? bone : 0.12 * tall), 0.17 * tall, 0.2 * tall);
  return { crown: over - base, high: Math.min(0.066 * tall, 0.365 * over) };
}
