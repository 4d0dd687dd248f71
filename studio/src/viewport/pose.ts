// Poses from the server as world matrices of joints, blended between frames.

import { Matrix4, Vector3 } from "three";
import type { RigInfo, PointRef } from "../wire/messages";

/** World matrices of all joints, sixteen numbers each, by columns as three.js has them. */
export type Placed = Float32Array;

/** Between poses `a` and `b` of a rig at `share`, 0 to 1; same poses need no blending. */
export function blend(
  rig: RigInfo,
  a: Float32Array,
  b: Float32Array,
  share: number,
  out?: Placed,
): Placed {
  const count = rig.joints.length;
  const placed = out ?? new Float32Array(16 * count);
  const write = rig.stride === 12 ? writeStretched : writeStiff;
  for (let j = 0; j < count; j++) write(a, b, share, rig.stride * j, placed, 16 * j);
  return placed;
}

/** Where a joint is in a pose as the server tells it. */
export function originOf(
  rig: RigInfo,
  pose: Float32Array,
  joint: number,
): [number, number, number] {
  const at = rig.stride * joint;
  const [x, y, z] = rig.stride === 12 ? [at + 3, at + 7, at + 11] : [at, at + 1, at + 2];
  return [pose[x!]!, pose[y!]!, pose[z!]!];
}

function writeStiff(
  a: Float32Array,
  b: Float32Array,
  share: number,
  i: number,
  out: Placed,
  o: number,
): void {
  const keep = 1 - share;
  let dot = 0;
  for (let k = 3; k < 7; k++) dot += a[i + k]! * b[i + k]!;
  // neighbouring frames are close: the normalised blend differs from the great arc by nothing seen
  const sign = dot < 0 ? -share : share;
  let x = keep * a[i + 3]! + sign * b[i + 3]!;
  let y = keep * a[i + 4]! + sign * b[i + 4]!;
  let z = keep * a[i + 5]! + sign * b[i + 5]!;
  let w = keep * a[i + 6]! + sign * b[i + 6]!;
  const length = Math.hypot(x, y, z, w) || 1;
  x /= length;
  y /= length;
  z /= length;
  w /= length;
  out[o] = 1 - 2 * (y * y + z * z);
  out[o + 1] = 2 * (x * y + w * z);
  out[o + 2] = 2 * (x * z - w * y);
  out[o + 3] = 0;
  out[o + 4] = 2 * (x * y - w * z);
  out[o + 5] = 1 - 2 * (x * x + z * z);
  out[o + 6] = 2 * (y * z + w * x);
  out[o + 7] = 0;
  out[o + 8] = 2 * (x * z + w * y);
  out[o + 9] = 2 * (y * z - w * x);
  out[o + 10] = 1 - 2 * (x * x + y * y);
  out[o + 11] = 0;
  for (let k = 0; k < 3; k++) out[o + 12 + k] = keep * a[i + k]! + share * b[i + k]!;
  out[o + 15] = 1;
}

function writeStretched(
  a: Float32Array,
  b: Float32Array,
  share: number,
  i: number,
  out: Placed,
  o: number,
): void {
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) {
      const k = i + 4 * row + column;
      out[o + 4 * column + row] = (1 - share) * a[k]! + share * b[k]!;
    }
  }
  out[o + 3] = 0;
  out[o + 7] = 0;
  out[o + 11] = 0;
  out[o + 15] = 1;
}

/** Morph weights, which lie after the joints. */
export function weightsOf(rig: RigInfo, a: Float32Array, b: Float32Array, share: number): number[] {
  const first = rig.stride * rig.joints.length;
  return rig.weights.map((_, i) => (1 - share) * a[first + i]! + share * b[first + i]!);
}

export function jointMatrix(placed: Placed, joint: number, out = new Matrix4()): Matrix4 {
  return out.fromArray(placed, 16 * joint);
}

/** Where a point of a placed rig is. */
export function placeOf(
  rig: RigInfo,
  placed: Placed,
  point: PointRef,
  out = new Vector3(),
): Vector3 | null {
  const joint = rig.joints.indexOf(point.joint);
  if (joint < 0) return null;
  return out.fromArray(point.offset ?? [0, 0, 0]).applyMatrix4(jointMatrix(placed, joint));
}
