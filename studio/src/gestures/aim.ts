// The target of a dragged point: in the screen plane or along an axis, path-free.

import { Plane, Quaternion, Vector3, type Ray } from "three";

/** From where the ray met the plane of the screen through `start` to where it meets it now. */
export function inScreenPlane(start: Vector3, back: Vector3, pressed: Ray, now: Ray): Vector3 {
  const plane = new Plane().setFromNormalAndCoplanarPoint(back, start);
  const from = pressed.intersectPlane(plane, new Vector3());
  const to = now.intersectPlane(plane, new Vector3());
  return from && to ? start.clone().add(to).sub(from) : start.clone();
}

const UP = new Vector3(0, 1, 0);
const FAR = 4; // times the distance to the camera: beyond that, the pointer is at the horizon

/** The same in the horizontal plane through `start`; in the screen plane where that is edge-on. */
export function overGround(start: Vector3, back: Vector3, pressed: Ray, now: Ray): Vector3 {
  const wanted = inScreenPlane(start, UP, pressed, now);
  const flat = Math.abs(now.direction.y) < 0.03 || Math.abs(pressed.direction.y) < 0.03;
  const beyond = wanted.distanceTo(start) > FAR * start.distanceTo(now.origin);
  const missed = now.direction.y * (start.y - now.origin.y) <= 0;
  return flat || beyond || missed ? inScreenPlane(start, back, pressed, now).setY(start.y) : wanted;
}

/** The same along one direction: the place of the line that is nearest to the ray. */
export function alongAxis(start: Vector3, axis: Vector3, pressed: Ray, now: Ray): Vector3 {
  const from = nearestAlong(start, axis, pressed);
  const to = nearestAlong(start, axis, now);
  return start.clone().addScaledVector(axis, from === null || to === null ? 0 : to - from);
}

/** How far along a line its nearest place to a ray is; null where it points at the camera. */
function nearestAlong(start: Vector3, axis: Vector3, ray: Ray): number | null {
  const across = ray.direction.dot(axis);
  const apart = 1 - across * across;
  if (apart < 1e-3) return null;
  const between = start.clone().sub(ray.origin);
  return (across * between.dot(ray.direction) - between.dot(axis)) / apart;
}

/** A turn by a pointer that went (dx, dy) px, as if rolling a ball. */
export function rolled(dx: number, dy: number, right: Vector3, up: Vector3): Quaternion {
  const around = up.clone().multiplyScalar(dx).addScaledVector(right, dy);
  const far = around.length();
  return far < 1e-6
    ? new Quaternion()
    : new Quaternion().setFromAxisAngle(around.divideScalar(far), far * 0.01);
}

/** The angle between two places as seen from a third, in the picture; y runs down. */
export function angleAround(
  centre: { x: number; y: number },
  from: { x: number; y: number },
  to: { x: number; y: number },
): number {
  const angle = (at: { x: number; y: number }) => Math.atan2(centre.y - at.y, at.x - centre.x);
  const turn = angle(to) - angle(from);
  return Math.atan2(Math.sin(turn), Math.cos(turn));
}

/** A pointer that can be slowed down: where it would be. */
export class Aim {
  x: number;
  y: number;
  private lastX: number;
  private lastY: number;

  constructor(
    readonly startX: number,
    readonly startY: number,
  ) {
    this.x = this.lastX = startX;
    this.y = this.lastY = startY;
  }

  /** Goes to the newest of some samples. */
  follow(samples: readonly { x: number; y: number }[], precise: boolean): void {
    const newest = samples.at(-1);
    if (newest) this.to(newest.x, newest.y, precise);
  }

  to(x: number, y: number, precise: boolean): void {
    const share = precise ? 0.1 : 1;
    this.x += share * (x - this.lastX);
    this.y += share * (y - this.lastY);
    this.lastX = x;
    this.lastY = y;
  }
}
