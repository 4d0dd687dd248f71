// The torso, one skin that bends with the spine; the neck and the head.

import { childrenOf } from "./anatomy";
import { faced, within, type Figure } from "./frame";
import { shapeBone } from "./limbs";
import { eased, type Clay, type Hold, type Ring } from "./loft";

const SIDES = 28;
const ROUND = 9; // rings of a head between its ends

/** Height under the hips, half width in parts of theirs, half depth, forward; in parts of how tall the figure is. */
const SEAT = [[-0.055, 0.36, 0.03, 0], [-0.045, 0.66, 0.046, -0.001], [-0.026, 0.9, 0.056, -0.003]];
/** Share of the way to the shoulders; half depth and forward, in parts of how tall the figure is. */
const LOINS = [[0, 0.06, -0.004], [0.2, 0.058, -0.003], [0.46, 0.048, 0.001], [0.76, 0.061, 0.004], [1, 0.053, 0]];
/** Height over the shoulders, half width in parts of the chest's, half depth. */
const YOKE = [[0.012, 0.9, 0.05], [0.026, 0.7, 0.044], [0.04, 0.5, 0.038], [0.054, 0.38, 0.033], [0.066, 0.3, 0.026]];

export function shapeTrunk(clay: Clay, figure: Figure): void {
  const { tall, hips, chest } = figure;
  const wide = {
    hips: within(hips.half + 0.046 * tall, 0.084 * tall, 0.11 * tall),
    waist: 0.069 * tall,
    chest: within(0.74 * chest.half, 0.078 * tall, 0.094 * tall),
  };
  const stops = [[0, wide.hips], [0.12, 0.99 * wide.hips], [0.46, wide.waist], [0.8, wide.chest], [1, 0.97 * wide.chest]];
  const rise = chest.middle.distanceTo(hips.middle);
  const ring = (along: number, half: number, deep: number, forward: number): Ring =>
    ringAt(figure, along, half, deep * tall, forward * tall);
  const end = (along: number): Ring => ({ centre: ringAt(figure, along, 0, 0, 0).centre, hold: heldAlong(figure, along) });
  const rings = [end(-0.057 * tall)];
  for (const [height, part, deep, forward] of SEAT) rings.push(ring(height! * tall, part! * wide.hips, deep!, forward!));
  for (let i = 0; i <= 14; i++) rings.push(ring((i / 14) * rise, eased(stops, i / 14), eased(LOINS, i / 14), eased(LOINS, i / 14, 2)));
  for (const [height, part, deep] of YOKE) rings.push(ring(rise + height! * tall, part! * wide.chest, deep!, 0));
  rings.push(end(rise + 0.072 * tall));
  clay.loft(rings, SIDES);
  shapeNeck(clay, figure);
  shapeHead(clay, figure);
}

/** A ring so far up from the hips towards the shoulders. */
function ringAt(figure: Figure, along: number, half: number, deep: number, forward: number): Ring {
  const { hips, chest } = figure;
  const rise = chest.middle.distanceTo(hips.middle);
  const share = within(along / rise, 0, 1);
  const { left, front } = faced(hips.left.clone().lerp(chest.left, share), hips.up);
  return {
    centre: hips.middle.clone().addScaledVector(hips.up, along).addScaledVector(front, forward),
    u: left.multiplyScalar(half),
    v: front.multiplyScalar(deep),
    square: 2.3,
    hold: heldAlong(figure, along),
  };
}

/** Each joint of the spine holds from its own height on; they share where one follows another. */
function heldAlong({ spine, places, hips, tall }: Figure, along: number): Hold {
  const soft = 0.045 * tall;
  const over = spine.map((joint, i) => {
    if (i === 0) return 1;
    const height = places[joint]!.clone().sub(hips.middle).dot(hips.up);
    return eased([[-soft, 0], [soft, 1]], within(along - height, -soft, soft));
  });
  for (let i = 1; i < over.length; i++) over[i] = Math.min(over[i]!, over[i - 1]!);
  const shares = spine.map((joint, i) => [joint, over[i]! - (over[i + 1] ?? 0)] as const);
  const most = shares.filter(([, share]) => share > 0.01).sort((a, b) => b[1] - a[1]).slice(0, 4);
  const sum = most.reduce((all, [, share]) => all + share, 0);
  return most.map(([joint, share]) => [joint, share / sum] as const);
}

function shapeNeck(clay: Clay, figure: Figure): void {
  const { places, neck, tall, chest } = figure;
  const root = chest.middle.clone().addScaledVector(chest.front, -0.004 * tall);
  const carrier = neck.length > 1 ? neck[0]! : figure.spine.at(-1)!;
  shapeBone(clay, carrier, root, places[neck[0]!]!, () => NECK * tall, 2);
  neck.slice(1).forEach((to, i) => shapeBone(clay, neck[i]!, places[neck[i]!]!, places[to]!, () => NECK * tall, 2));
}

const NECK = 0.03; // half width
/** An egg with a chin; from the chin (-1) to the crown (1): half width, half depth, forward. */
const EGG = [
  [-1, 0.3, 0.34, 0.3],
  [-0.72, 0.64, 0.68, 0.2],
  [-0.3, 0.86, 0.87, 0.08],
  [0.3, 1, 1, -0.02],
  [1, 0.98, 1, -0.06],
];

/** The head's own facing is the chest's, as the skeleton rests. */
function shapeHead(clay: Clay, figure: Figure): void {
  const { head, places, tall, gaze } = figure;
  const { crown, high } = headSize(figure);
  const place = (up: number, front: number) =>
    places[head]!.clone().addScaledVector(gaze.up, crown - high + up).addScaledVector(gaze.front, 0.012 * tall + front);
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
  shapeBone(clay, head, places[head]!, place(-0.3 * high, -0.01 * tall), () => NECK * tall, 2);
  const nose = (share: number) => high * (0.06 + 0.036 * share);
  shapeBone(clay, head, place(0.02 * high, 0.74 * high), place(-0.22 * high, 0.83 * high), nose, 3, 10);
}

/** How far over the head's joint its top is, and half its height: by where its bone ends, as far as necks can be. */
function headSize({ tree, head, places, tall, chest, gaze }: Figure): { crown: number; high: number } {
  const ends = childrenOf(tree, head).map((child) => places[child]!.clone().sub(places[head]!));
  const tops = ends.filter((end) => end.dot(gaze.up) > 0.8 * end.length()).map((end) => end.dot(gaze.up));
  const bone = Math.max(0, ...tops);
  const base = places[head]!.clone().sub(chest.middle).dot(chest.up);
  const over = within(base + (bone > 0.03 * tall ? bone : 0.12 * tall), 0.17 * tall, 0.2 * tall);
  return { crown: over - base, high: Math.min(0.066 * tall, 0.365 * over) };
}
