// A stick held by a phone: turns orientation, tracked position and touches into a device pose in the world.

import { Euler, MathUtils, Quaternion, Vector3 } from "three";
import type { Quat, Vec3 } from "../wire/messages";
import type { DevicePose } from "./device";

const STEEPEST = MathUtils.degToRad(85);
const FULL_DRAG = 70; // px of a finger for full speed
const FULL_SPEED = 2; // body heights a second
const DEAD = 6; // px; a finger that rests does not lead
const RAISE = 0.004; // body heights for each px of a finger
const LOOKS_OUT = new Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2); // through the back of the screen
const UP = new Vector3(0, 1, 0);

/** The camera orientation of a phone that reports the angles of `deviceorientation`, on a screen turned by `screen`; degrees. */
export function phoneOrientation(
  { alpha, beta, gamma }: { alpha: number; beta: number; gamma: number },
  screen: number,
): Quaternion {
  const rad = MathUtils.degToRad;
  return new Quaternion()
    .setFromEuler(new Euler(rad(beta), rad(alpha), -rad(gamma), "YXZ"))
    .multiply(LOOKS_OUT)
    .multiply(new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), -rad(screen)));
}

/** A place to stand, and what is looked at from there; m in the world. */
export interface Stand {
  position: Vec3;
  target: Vec3;
}

interface Angles {
  yaw: number;
  pitch: number;
  roll: number;
}

/** Yaw and pitch swing the stick about a virtual device; a finger leads it over the ground, or raises it. */
export class OrientationStick {
  /** Degrees in the world for each degree of the phone; also metres for each tracked metre. */
  sensitivity = 1;
  /** Height of a body, m: how fast a finger leads. */
  size = 1.7;
  private facing: Angles = { yaw: 0, pitch: 0, roll: 0 }; // of the stand
  private reference: Angles | null = null; // as the phone was held when it was centred
  private origin: Vector3 | null = null; // m, where a tracked phone was then
  private readonly place = new Vector3(0, 1.5, 2); // m, of the virtual device without tracking
  private raised = 0; // m
  private now: Angles = { yaw: 0, pitch: 0, roll: 0 };
  private readonly tracked = new Vector3();
  private reading = false;

  /** The way the phone is held now looks from a place at a target. */
  recentre({ position, target }: Stand): void {
    this.place.set(...position);
    const away = new Vector3(...target).sub(this.place);
    const level = Math.hypot(away.x, away.z);
    this.facing = {
      yaw: Math.atan2(-away.x, -away.z),
      pitch: MathUtils.clamp(Math.atan2(away.y, level), -STEEPEST, STEEPEST),
      roll: 0,
    };
    this.raised = 0;
    this.reference = this.reading ? { ...this.now } : null;
    this.origin = this.reading ? this.tracked.clone() : null;
  }

  /** The phone is held like this; `position` in m where it is tracked. */
  orient(orientation: Quaternion, position: Vector3 | null = null): void {
    const { x, y, z } = new Euler().setFromQuaternion(orientation, "YXZ");
    const before = this.now.yaw;
    const turned = this.reading ? before + wrapped(y - before) : y; // goes on beyond half a turn
    this.now = { yaw: turned, pitch: x, roll: z };
    if (position) this.tracked.copy(position);
    if (!this.reading) [this.reference, this.origin] = [{ ...this.now }, this.tracked.clone()];
    this.reading = true;
  }

  /** Without sensors: a drag over the picture looks around; rad. */
  look(yaw: number, pitch: number): void {
    this.facing.yaw += yaw;
    this.facing.pitch = MathUtils.clamp(this.facing.pitch + pitch, -STEEPEST, STEEPEST);
  }

  /** A second finger is `px` away from where it was set down, upwards, for some seconds: leads along the ground. */
  lead(px: number, seconds: number): void {
    const far = Math.max(Math.abs(px) - DEAD, 0) / (FULL_DRAG - DEAD);
    const speed = Math.sign(px) * Math.min(far, 1) * FULL_SPEED * this.size * this.sensitivity;
    this.advance(speed * seconds);
  }

  /** Along the ground, the way the device looks; m. */
  advance(distance: number): void {
    const { yaw } = this.angles();
    this.place.x -= Math.sin(yaw) * distance;
    this.place.z -= Math.cos(yaw) * distance;
  }

  /** How far above the horizon the phone itself looks, rad; null without a sensor. */
  get tilt(): number | null {
    return this.reading ? this.now.pitch : null;
  }

  /** A second finger moved sideways by `px`: raises the device, or lowers it. */
  raise(px: number): void {
    this.raised += RAISE * px * this.size * this.sensitivity;
  }

  pose(): DevicePose {
    const { yaw, pitch, roll } = this.angles();
    const { w, x, y, z } = new Quaternion().setFromEuler(new Euler(pitch, yaw, roll, "YXZ"));
    return [this.position().toArray(), [w, x, y, z] satisfies Quat];
  }

  private angles(): Angles {
    const { facing, reference, now, sensitivity } = this;
    if (!reference) return facing;
    const pitch = facing.pitch + sensitivity * (now.pitch - reference.pitch);
    return {
      yaw: facing.yaw + sensitivity * (now.yaw - reference.yaw),
      pitch: MathUtils.clamp(pitch, -STEEPEST, STEEPEST),
      roll: now.roll - reference.roll,
    };
  }

  private position(): Vector3 {
    const found = this.place.clone().addScaledVector(UP, this.raised);
    if (!this.origin || !this.reference) return found;
    const moved = this.tracked.clone().sub(this.origin).multiplyScalar(this.sensitivity);
    return found.add(moved.applyAxisAngle(UP, this.facing.yaw - this.reference.yaw));
  }
}

function wrapped(angle: number): number {
  return MathUtils.euclideanModulo(angle + Math.PI, 2 * Math.PI) - Math.PI;
}
