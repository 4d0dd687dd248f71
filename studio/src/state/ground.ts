// The ground: blocks and ramps that puppets stand on. Each change is one step of the history.

import type { GroundBlock } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { send } from "../wire/socket";
import { documentState, sceneInfo } from "./document";
import { character, take } from "./view";

/** A block as it is shown: its middle, its size, and the heights of its top along z. */
export interface BlockShape {
  x: number; // m
  z: number;
  width: number;
  depth: number;
  near: number; // m, height at the lower z
  far: number; // at the higher z
}

const AHEAD = 0.8; // body heights before the origin
const WIDE = 0.6; // body heights
const HIGH = 0.1;

export function blocksHere(): readonly GroundBlock[] {
  return documentState.value?.ground ?? [];
}

export function shapeOf({ x, z, heights }: GroundBlock): BlockShape {
  const [near, far] = heights;
  return {
    x: (x[0] + x[1]) / 2,
    z: (z[0] + z[1]) / 2,
    width: x[1] - x[0],
    depth: z[1] - z[0],
    near,
    far,
  };
}

export function blockOf({ x, z, width, depth, near, far }: BlockShape): GroundBlock {
  return {
    x: [x - width / 2, x + width / 2],
    z: [z - depth / 2, z + depth / 2],
    heights: [near, far],
  };
}

/** A step, or a slope that rises ahead, each behind those that are there. */
export function addBlock(slopes: boolean): void {
  const size = sceneInfo.value?.scale ?? 1;
  const blocks = blocksHere();
  const behind = Math.max(AHEAD * size, ...blocks.map((each) => each.z[1] + 0.2 * size));
  const width = WIDE * size;
  const depth = slopes ? 2 * width : width;
  const at = { x: 0, z: behind + depth / 2, width, depth };
  const made = blockOf({ ...at, near: slopes ? 0 : HIGH * size, far: HIGH * size });
  setGround([...blocks, made]);
}

export function changeBlock(index: number, values: Partial<BlockShape>): void {
  const blocks = blocksHere();
  const before = blocks[index];
  if (!before) return;
  const made = blockOf({ ...shapeOf(before), ...values });
  setGround(blocks.map((each, at) => (at === index ? made : each)));
}

export function removeBlock(index: number): void {
  setGround(blocksHere().filter((_, at) => at !== index));
}

function setGround(blocks: readonly GroundBlock[]): void {
  if (!mayEdit()) return;
  const at = { character: character.peek(), take: take.peek() };
  send({ type: "ApplyChange", change: { change: "SetGround", ...at, blocks: [...blocks] } });
}
