// The orbit camera.

import type { Box3 } from "three";
import { MathUtils, PerspectiveCamera, Quaternion, Vector3 } from "three";
import type { DevicePose } from "../devices/device";
import type { CameraInfo } from "../wire/messages";

const GLIDE = 150; // ms
const STEEPEST = Math.PI / 2 - 0.001;
const LENS = 32; // degrees
const FLAT_LENS = 0.6; // degrees: from so far away that lines stay parallel, as orthographic
const HELD_LENS = 55; // degrees, of a camera in the hand

interface Stand {
  target: Vector3;
  yaw: number; // 0 looks at a front, towards -Z
  pitch: number;
  distance: number;
}

export class Orbit {
  readonly camera = new PerspectiveCamera(LENS, 1, 0.01, 100);
  readonly target = new Vector3(0, 0.9, 0);
  yaw = 0.62;
  pitch = 0.16;
  distance = 5;
  size = new Vector3(1, 1, 0); // of the picture, CSS px
  /** A scene's size, for the clipping planes and the closest distance. */
  scale = 1;
  /** Orthographic. */
  flat = false;
  private held: DevicePose | null = null; // the camera is where a device is
  private along = false;
  private shot: CameraInfo | null = null; // a saved camera is looked through
  private glide: { from: Stand; to: Stand; began: number } | null = null;

  constructor(private readonly changed: () => void) {}

  resize(width: number, height: number): void {
    this.size.set(Math.max(width, 1), Math.max(height, 1), 0);
    this.camera.aspect = this.size.x / this.size.y;
    if (this.shot && !this.held) this.camera.fov = this.lensOf(this.shot);
    this.place();
  }

  turn(dx: number, dy: number): void {
    if (this.shot) return;
    this.glide = null;
    if (this.along) this.setFlat(false); // a view along an axis is left
    this.yaw -= dx * 0.0075;
    this.pitch = MathUtils.clamp(this.pitch + dy * 0.0075, -STEEPEST, STEEPEST);
    this.place();
  }

  pan(dx: number, dy: number): void {
    if (this.shot) return;
    this.glide = null;
    const world = this.worldPerPixel(this.target);
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.target.addScaledVector(right, -dx * world).addScaledVector(up, dy * world);
    this.place();
  }

  /** Closer by a factor below 1, towards what lies under (x, y) in the picture. */
  zoom(factor: number, x = this.size.x / 2, y = this.size.y / 2): void {
    if (this.shot) return;
    this.glide = null;
    const before = this.worldPerPixel(this.target);
    const least = 0.02 * this.scale;
    const next = MathUtils.clamp(this.distance * factor, least, 400 * this.scale);
    const kept = 1 - next / this.distance;
    this.distance = next;
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.target
      .addScaledVector(right, (x - this.size.x / 2) * before * kept)
      .addScaledVector(up, (this.size.y / 2 - y) * before * kept);
    this.place();
  }

  worldPerPixel(at: Vector3): number {
    const depth = -at.clone().applyMatrix4(this.camera.matrixWorldInverse).z;
    return (
      (2 * Math.max(depth, 1e-6) * Math.tan(MathUtils.degToRad(this.camera.fov) / 2)) / this.size.y
    );
  }

  /** Everything of a box in view, from where the camera looks now or from another side. */
  frame(box: Box3, side: { yaw: number; pitch: number } = this, gently = true): void {
    const target = box.getCenter(new Vector3());
    const distance = fit(box, side, LENS, this.camera.aspect);
    this.send(
      { target, yaw: side.yaw, pitch: side.pitch, distance: Math.max(distance, 0.05 * this.scale) },
      gently,
    );
  }

  /** Along the ground: what is looked at has gone there, and all else stays. */
  carry(x: number, z: number, gently = false): void {
    if (gently) return this.centre(this.target.x + x, this.target.z + z);
    for (const each of [this.target, this.glide?.from.target, this.glide?.to.target])
      each?.add({ x, y: 0, z });
    this.place();
  }

  /** Looks at a place on the ground, from as high and as far as now. */
  centre(x: number, z: number): void {
    this.send(
      {
        target: new Vector3(x, this.target.y, z),
        yaw: this.yaw,
        pitch: this.pitch,
        distance: this.distance,
      },
      true,
    );
  }

  /** From another side; along an axis it is orthographic, until the view is turned. */
  look(yaw: number, pitch: number, along = false): void {
    if (along) this.setFlat(true);
    this.along = along;
    this.send({ target: this.target.clone(), yaw, pitch, distance: this.distance }, true);
  }

  /** Orthographic, or with perspective. */
  setFlat(on: boolean): void {
    this.flat = on;
    this.along = false;
    this.place();
  }

  /** From the camera to what is looked at; further than `distance` where it is orthographic. */
  private get reach(): number {
    const half = (lens: number) => Math.tan(MathUtils.degToRad(lens) / 2);
    return this.flat && !this.held && !this.shot
      ? (this.distance * half(LENS)) / half(FLAT_LENS)
      : this.distance;
  }

  /** Whether no glide is under way. */
  get still(): boolean {
    return this.glide === null;
  }

  /** Moves on a glide; true while there is more to come. */
  step(now: number): boolean {
    if (!this.glide) return false;
    const share = MathUtils.clamp((now - this.glide.began) / GLIDE, 0, 1); // a picture's time may be before the glide's
    const eased = 1 - (1 - share) ** 3;
    const { from, to } = this.glide;
    this.target.lerpVectors(from.target, to.target, eased);
    this.yaw = MathUtils.lerp(from.yaw, to.yaw, eased);
    this.pitch = MathUtils.lerp(from.pitch, to.pitch, eased);
    this.distance = MathUtils.lerp(from.distance, to.distance, eased);
    if (share === 1) this.glide = null;
    this.place();
    return share < 1;
  }

  /** Looks through a saved camera, which stays where it is; null to orbit again, from there. */
  through(shot: CameraInfo | null): void {
    if (shot === this.shot) return;
    this.shot = shot;
    this.glide = null;
    this.camera.fov = shot ? this.lensOf(shot) : LENS;
    if (shot) this.standAt(shot);
    this.place();
  }

  /** Degrees, for all of a shot to be in a picture of this shape. */
  private lensOf({ field_of_view, width, height }: CameraInfo): number {
    const narrow = Math.max(1, width / height / this.camera.aspect);
    return MathUtils.radToDeg(2 * Math.atan(narrow * Math.tan(field_of_view / 2)));
  }

  /** Where orbiting goes on from. */
  private standAt({ position, orientation: [w, x, y, z] }: CameraInfo): void {
    const back = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(x, y, z, w));
    this.yaw = Math.atan2(back.x, back.z);
    this.pitch = MathUtils.clamp(Math.asin(back.y), -STEEPEST, STEEPEST);
    this.target.set(...position).addScaledVector(back, -this.distance);
  }

  /** Puts the camera where a device is, looking along it; null to orbit again. */
  hold(pose: DevicePose | null): void {
    this.held = pose;
    if (pose) this.glide = null;
    this.place();
  }

  place(): void {
    const lens = this.shot ? this.lensOf(this.shot) : this.flat ? FLAT_LENS : LENS;
    this.camera.fov = this.held ? HELD_LENS : lens;
    if (this.held) this.placeHeld(this.held);
    else if (this.shot) this.placeHeld([this.shot.position, this.shot.orientation]);
    else {
      this.camera.position.copy(backOf(this)).multiplyScalar(this.reach).add(this.target);
      this.camera.up.set(0, 1, 0);
      this.camera.lookAt(this.target);
    }
    // what a tool draws over a shot may be close to its camera
    this.camera.near = this.shot
      ? 0.004 * this.scale
      : Math.max(this.reach - 20 * this.scale, 0.004 * this.scale, this.distance / 400);
    this.camera.far = this.reach + 60 * this.scale;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.changed();
  }

  private placeHeld([position, [w, x, y, z]]: DevicePose): void {
    this.camera.position.set(...position);
    this.camera.quaternion.copy(new Quaternion(x, y, z, w));
    const ahead = new Vector3(0, 0, -this.distance).applyQuaternion(this.camera.quaternion);
    this.target.copy(this.camera.position).add(ahead);
  }

  private send(to: Stand, gently: boolean): void {
    if (this.shot) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const from = {
      target: this.target.clone(),
      yaw: nearest(this.yaw, to.yaw),
      pitch: this.pitch,
      distance: this.distance,
    };
    this.glide = { from, to, began: gently && !still ? performance.now() : -GLIDE };
    if (!gently || still) this.step(performance.now());
    this.changed();
  }
}

function nearest(yaw: number, to: number): number {
  const turn = 2 * Math.PI;
  return yaw + turn * Math.round((to - yaw) / turn);
}

const MARGIN = 1.05;

/** From what is looked at to the camera. */
export function backOf({ yaw, pitch }: { yaw: number; pitch: number }): Vector3 {
  const level = Math.cos(pitch);
  return new Vector3(Math.sin(yaw) * level, Math.sin(pitch), Math.cos(yaw) * level);
}

/** How far a camera must stand for all corners of a box to be in the picture. */
export function fit(
  box: Box3,
  side: { yaw: number; pitch: number },
  fov: number,
  aspect: number,
): number {
  const back = backOf(side);
  const right = new Vector3(Math.cos(side.yaw), 0, -Math.sin(side.yaw));
  const up = back.clone().cross(right);
  const tall = Math.tan(MathUtils.degToRad(fov) / 2) / MARGIN;
  const wide = tall * aspect;
  const middle = box.getCenter(new Vector3());
  let distance = 0;
  for (let i = 0; i < 8; i++) {
    const corner = new Vector3(
      i & 1 ? box.max.x : box.min.x,
      i & 2 ? box.max.y : box.min.y,
      i & 4 ? box.max.z : box.min.z,
    ).sub(middle);
    const depth = corner.dot(back);
    const need = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / tall);
    distance = Math.max(distance, depth + need);
  }
  return distance;
}
