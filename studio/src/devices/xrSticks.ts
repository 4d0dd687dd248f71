// VR controllers as sticks: the pose of each in the world, the ray that it points along, and its trigger.

import { Quaternion, Ray, Vector3 } from "three";
import type { Quat, Vec3 } from "../wire/messages";
import {
  HELD,
  pageTime,
  type Device,
  type DeviceLayout,
  type DevicePose,
  type Sink,
} from "./device";
import { DeviceClock } from "./deviceClock";
import { drawNothing, headsetMode } from "./xr";

const HOLDS = 0.5; // of a trigger's way
const UP = new Vector3(0, 1, 0);

/** Where somebody with a headset stands, and which way is ahead. */
export interface Standing {
  position: Vec3; // m, on the ground
  yaw: number;
}

/** One controller. */
class XrStick implements Device {
  readonly name = "xr";
  readonly space = "world";
  readonly reportsChanges = false;
  wasHeld = true; // a trigger that was pulled before grabs nothing
  private sink: Sink | null = null;

  constructor(readonly label: string) {}

  layout(): DeviceLayout {
    return { poses: 1, axisNames: [], buttonNames: [HELD] };
  }

  available(): boolean {
    return true;
  }

  start(sink: Sink): Promise<void> {
    this.sink = sink;
    return Promise.resolve();
  }

  stop(): void {
    this.sink = null;
  }

  give(time: number, pose: DevicePose): void {
    this.sink?.add([{ time, poses: [pose], axes: [], buttons: [true] }]);
  }

  release(reason = ""): void {
    this.sink?.end(reason);
  }
}

/** Starts a session of the headset; `pull` is called when a trigger is pulled. Rejects with a reason where it cannot. */
export async function startXrSticks(
  standing: Standing,
  pull: (device: Device, ray: Ray) => void,
  show: (session: XRSession) => Promise<void> = drawNothing,
): Promise<XRSession> {
  const mode = headsetMode();
  if (!navigator.xr || !mode) throw new Error("This browser has no headset.");
  const session = await navigator.xr.requestSession(mode, { optionalFeatures: ["local-floor"] });
  await show(session);
  const space = await session
    .requestReferenceSpace("local-floor")
    .catch(() => session.requestReferenceSpace("local"));
  const sticks = new Map<string, XrStick>();
  const clock = new DeviceClock();
  const next = (stated: number, frame: XRFrame) => {
    session.requestAnimationFrame(next);
    const time = clock.toPage(stated / 1000, pageTime());
    for (const source of session.inputSources) {
      const pose = source.targetRaySpace && frame.getPose(source.targetRaySpace, space);
      if (!pose) continue;
      const hand = source.handedness;
      const stick = sticks.get(hand) ?? new XrStick(`Controller, ${hand}`);
      sticks.set(hand, stick);
      const placed = inWorld(pose.transform, standing);
      const holds = (source.gamepad?.buttons[0]?.value ?? 0) > HOLDS;
      if (holds && !stick.wasHeld) pull(stick, rayOf(placed));
      if (holds) stick.give(time, placed);
      else if (stick.wasHeld) stick.release();
      stick.wasHeld = holds;
    }
  };
  session.requestAnimationFrame(next);
  session.addEventListener("end", () => {
    for (const each of sticks.values()) each.release("The headset ended its session.");
  });
  return session;
}

function inWorld(
  { position, orientation }: XRRigidTransform,
  { position: at, yaw }: Standing,
): DevicePose {
  const turn = new Quaternion().setFromAxisAngle(UP, yaw);
  const place = new Vector3(position.x, position.y, position.z).applyQuaternion(turn);
  const { x, y, z, w } = orientation;
  const turned = turn.multiply(new Quaternion(x, y, z, w));
  const rotation: Quat = [turned.w, turned.x, turned.y, turned.z];
  return [place.add(new Vector3(...at)).toArray(), rotation];
}

function rayOf([position, [w, x, y, z]]: DevicePose): Ray {
  const ahead = new Vector3(0, 0, -1).applyQuaternion(new Quaternion(x, y, z, w));
  return new Ray(new Vector3(...position), ahead);
}
