// The torso: one skin that bends with the spine.

import { faced, within, type Figure } from "./frame";
import { eased, type Clay, type Hold, type Ring } from "./loft";

const SIDES = 28;

/** Height under the hips, half width in parts of theirs, half depth, forward; in parts of how tall the figure is. */
const SEAT = [
  [-0.055, 0.36, 0.03, 0],
  [-0.045, 0.66, 0.046, -0.001],
  [-0.026, 0.9, 0.056, -0.003],
];
/** Share of the way to the shoulders; half depth and forward, in parts of how tall the figure is. */
const LOINS = [
  [0, 0.06, -0.004],
  [0.2, 0.058, -0.003],
  [0.46, 0.048, 0.001],
  [0.76, 0.061, 0.004],
  [1, 0.053, 0],
];
/** Height over the shoulders, half width in parts of the chest's, half depth. */
const YOKE = [
  [0.012, 0.9, 0.05],
  [0.026, 0.7, 0.044],
  [0.04, 0.5, 0.038],
  [0.054, 0.38, 0.033],
  [0.066, 0.3, 0.026],
];

export function shapeTrunk(clay: Clay, figure: Figure): void {
  const { tall, hips, chest } = figure;
  const wide = {
    hips: within(hips.half + 0.046 * tall, 0.084 * tall, 0.11 * tall),
    waist: 0.069 * tall,
    chest: within(0.74 * chest.half, 0.078 * tall, 0.094 * tall),
  };
  const stops = [
    [0, wide.hips],
    [0.12, 0.99 * wide.hips],
    [0.46, wide.waist],
    [0.8, wide.chest],
    [1, 0.97 * wide.chest],
  ];
  const rise = chest.middle.distanceTo(hips.middle);
  const ring = (along: number, half: number, deep: number, forward: number): Ring =>
    ringAt(figure, along, half, deep * tall, forward * tall);
  const end = (along: number): Ring => ({
    centre: ringAt(figure, along, 0, 0, 0).centre,
    hold: heldAlong(figure, along),
  });
  const rings = [end(-0.057 * tall)];
  for (const [height, part, deep, forward] of SEAT)
    rings.push(ring(height! * tall, part! * wide.hips, deep!, forward!));
  for (let i = 0; i <= 14; i++)
    rings.push(
      ring((i / 14) * rise, eased(stops, i / 14), eased(LOINS, i / 14), eased(LOINS, i / 14, 2)),
    );
  for (const [height, part, deep] of YOKE)
    rings.push(ring(rise + height! * tall, part! * wide.chest, deep!, 0));
  rings.push(end(rise + 0.072 * tall));
  clay.loft(rings, SIDES);
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
    return eased(
      [
        [-soft, 0],
        [soft, 1],
      ],
      within(along - height, -soft, soft),
    );
  });
  for (let i = 1; i < over.length; i++) over[i] = Math.min(over[i]!, over[i - 1]!);
  const shares = spine.map((joint, i) => [joint, over[i]! - (over[i + 1] ?? 0)] as const);
  const most = shares
    .filter(([, share]) => share > 0.01)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4);
  const sum = most.reduce((all, [, share]) => all + share, 0);
  return most.map(([joint, share]) => [joint, share / sum] as const);
}
