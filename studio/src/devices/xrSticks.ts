// VR controllers as sticks: the pose of each in the world, the ray that it points along, and its trigger.

import { Quaternion, Ray, Vector3 } from "three";
import type { Quat, Vec3 } from "../wire/messages";
import {
  HEAD,
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

/** One controller. A second one may hold the head of the puppet that the first one leads. */
export class XrStick implements Device {
  readonly name = "xr";
  readonly space = "world";
  readonly reportsChanges = false;
  wasHeld = true; // a trigger that was pulled before grabs nothing
  pose: DevicePose | null = null; // the latest
  other: XrStick | null = null;
  private sink: Sink | null = null;
  private helper: XrStick | null = null; // the other one, where it was there at the grab
  private leader: XrStick | null = null; // whose puppet's head this one holds

  constructor(readonly label: string) {}

  layout(): DeviceLayout {
    if (!this.helper) return { poses: 1, axisNames: [], buttonNames: [HELD] };
    return { poses: 2, axisNames: [], buttonNames: [HELD, HEAD] };
  }

  available(): boolean {
    return true;
  }

  start(sink: Sink): Promise<void> {
    this.sink = sink;
    this.helper = this.other?.pose && !this.other.sink ? this.other : null;
    return Promise.resolve();
  }

  stop(): void {
    this.sink = null;
  }

  /** From now until its release it holds the head of what the other one leads; false where that cannot be. */
  holdHead(): boolean {
    const led = this.other?.sink && this.other.helper === this;
    this.leader = led ? this.other : null;
    return Boolean(led);
  }

  give(time: number): void {
    const { helper, pose } = this;
    if (!pose) return;
    const poses = helper?.pose ? [pose, helper.pose] : [pose];
    const buttons = helper ? [true, helper.leader === this] : [true];
    this.sink?.add([{ time, poses, axes: [], buttons }]);
  }

  release(reason = ""): void {
    this.leader = null;
    this.sink?.end(reason);
  }
}

/** Starts a session of the headset; `pull` is called when a trigger is pulled. Rejects with a reason where it cannot. */
export async function startXrSticks(
  standing: Standing,
  pull: (device: XrStick, ray: Ray) => void,
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
      const stick = stickOf(sticks, source.handedness);
      stick.pose = inWorld(pose.transform, standing);
      const holds = (source.gamepad?.buttons[0]?.value ?? 0) > HOLDS;
      if (holds && !stick.wasHeld) pull(stick, rayOf(stick.pose));
      if (holds) stick.give(time);
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

/** The stick of a hand; both know each other. */
function stickOf(sticks: Map<string, XrStick>, hand: string): XrStick {
  const known = sticks.get(hand);
  if (known) return known;
  const made = new XrStick(`Controller, ${hand}`);
  made.other = [...sticks.values()][0] ?? null;
  if (made.other) made.other.other = made;
  sticks.set(hand, made);
  return made;
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
