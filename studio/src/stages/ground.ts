// The ground in a camera picture: where the virtual camera stands, and which place on the ground was tapped.

import { Euler, MathUtils, Quaternion, Vector3 } from "three";
import type { DevicePose } from "../devices/device";
import type { Stand } from "../devices/orientationStick";
import type { Vec3 } from "../wire/messages";

const SHALLOWEST = 0.06; // of a ray's slope: what is tapped nearer to the horizon is no ground

export interface Lens {
  fov: number; // degrees, vertical
  aspect: number;
}

/** A camera that sees the ground, which is at height 0. */
export interface Sight {
  position: Vec3; // m
  yaw: number; // rad
  pitch: number; // rad, above the horizon
}

/** A place in the picture: -1 to 1 to the right and upwards. */
export type Tap = readonly [x: number, y: number];

export function orientationOf({ yaw, pitch }: Pick<Sight, "yaw" | "pitch">): Quaternion {
  return new Quaternion().setFromEuler(new Euler(pitch, yaw, 0, "YXZ"));
}

/** The direction of a place in the picture, in the world. */
function rayOf(orientation: Quaternion, [x, y]: Tap, { fov, aspect }: Lens): Vector3 {
  const tall = Math.tan(MathUtils.degToRad(fov) / 2);
  return new Vector3(x * tall * aspect, y * tall, -1).applyQuaternion(orientation).normalize();
}

/** The camera at a height that sees some feet where the picture was tapped; null for a tap above the ground. */
export function sightOf(
  feet: Vec3,
  tap: Tap,
  lens: Lens,
  { height, yaw, pitch }: { height: number; yaw: number; pitch: number },
): Sight | null {
  const ray = rayOf(orientationOf({ yaw, pitch }), tap, lens);
  if (ray.y > -SHALLOWEST) return null;
  const away = ray.multiplyScalar(height / ray.y);
  return { position: [feet[0] + away.x, height, feet[2] + away.z], yaw, pitch };
}

/** The tapped place on the ground; null for a tap above it. */
export function groundAt([position, [w, x, y, z]]: DevicePose, tap: Tap, lens: Lens): Vec3 | null {
  const ray = rayOf(new Quaternion(x, y, z, w), tap, lens);
  if (ray.y > -SHALLOWEST) return null;
  const far = -position[1] / ray.y;
  return [position[0] + far * ray.x, 0, position[2] + far * ray.z];
}

/** Where the horizon is in the picture: -1 to 1, upwards. */
export function horizonOf(pitch: number, { fov }: Lens): number {
  return -Math.tan(pitch) / Math.tan(MathUtils.degToRad(fov) / 2);
}

export function poseOf(sight: Sight): DevicePose {
  const { w, x, y, z } = orientationOf(sight);
  return [sight.position, [w, x, y, z]];
}

/** A stick that is held where a camera is, along its view. */
export function standAt([position, [w, x, y, z]]: DevicePose): Stand {
  const ahead = new Vector3(0, 0, -1).applyQuaternion(new Quaternion(x, y, z, w));
  return { position, target: ahead.add(new Vector3(...position)).toArray() };
}
