// A phone as a puppet's stick: by its orientation sensor, or with its position where the browser tracks that.

import { signal } from "@preact/signals-core";
import { Quaternion, Vector3 } from "three";
import {
  ACTIONS,
  STICK_BUTTONS,
  type Action,
  type Device,
  type DeviceLayout,
  type Sink,
} from "./device";
import { pageTime } from "./device";
import { DeviceClock } from "./deviceClock";
import { OrientationStick, phoneOrientation } from "./orientationStick";
import { drawNothing } from "./xr";

const PATIENCE = 2000; // ms until a sensor must have reported something
const LAYOUT: DeviceLayout = { poses: 1, axisNames: [], buttonNames: STICK_BUTTONS };

/** "drag": there is no sensor, and a finger on the picture looks around. */
export type Tracking = "off" | "asking" | "orientation" | "position" | "denied" | "drag";
type Asking = { requestPermission?: () => Promise<PermissionState> };

export class PhoneStick implements Device {
  readonly name = "phone";
  readonly label = "Phone";
  readonly space = "world";
  readonly reportsChanges = true;
  readonly stick = new OrientationStick();
  readonly tracking = signal<Tracking>("off");
  /** Called whenever the pose changes, also while nothing is recorded. */
  moved: () => void = () => {};
  private sink: Sink | null = null;
  private clock = new DeviceClock();
  private session: XRSession | null = null;
  private readonly pressed = new Set<Action>();

  layout(): DeviceLayout {
    return LAYOUT;
  }

  available(): boolean {
    return this.tracking.value !== "off" && this.tracking.value !== "denied";
  }

  start(sink: Sink): Promise<void> {
    this.sink = sink;
    this.give(pageTime());
    return Promise.resolve();
  }

  stop(): void {
    this.sink = null;
    this.pressed.clear();
  }

  /** Starts the orientation sensor; iOS asks the user, which it allows after a tap only. */
  async track(): Promise<void> {
    if (typeof DeviceOrientationEvent === "undefined") return void (this.tracking.value = "drag");
    this.tracking.value = "asking";
    const ask = (DeviceOrientationEvent as Asking).requestPermission;
    const answer = ask ? await ask.call(DeviceOrientationEvent).catch(() => "denied") : "granted";
    if (answer !== "granted") return void (this.tracking.value = "denied");
    addEventListener("deviceorientation", this.tilted);
    setTimeout(() => {
      if (this.tracking.peek() === "asking") this.tracking.value = "drag";
    }, PATIENCE);
  }

  /** Tracks the position, too, with the camera of the phone; `root` stays on the screen. Rejects where it cannot. */
  async trackPosition(root: HTMLElement): Promise<void> {
    const session = await navigator.xr!.requestSession("immersive-ar", {
      optionalFeatures: ["dom-overlay"],
      domOverlay: { root },
    });
    this.session = session;
    this.clock = new DeviceClock();
    session.addEventListener("end", () => {
      this.session = null;
      this.tracking.value = "orientation";
    });
    await drawNothing(session);
    const space = await session.requestReferenceSpace("local");
    const next = (time: number, frame: XRFrame) => {
      if (this.session !== session) return;
      session.requestAnimationFrame(next);
      const pose = frame.getViewerPose(space);
      if (pose) this.seen(pose.transform, time);
    };
    session.requestAnimationFrame(next);
  }

  /** Touches changed the pose. */
  touched(): void {
    this.give(pageTime());
    this.moved();
  }

  /** A touch zone of an action is pressed, or released. */
  press(action: Action, isDown: boolean): void {
    if (isDown) this.pressed.add(action);
    else this.pressed.delete(action);
    this.give(pageTime());
  }

  private seen({ position: p, orientation: o }: XRRigidTransform, time: number): void {
    this.tracking.value = "position";
    this.stick.orient(new Quaternion(o.x, o.y, o.z, o.w), new Vector3(p.x, p.y, p.z));
    this.give(this.clock.toPage(time / 1000, pageTime()));
    this.moved();
  }

  private readonly tilted = (event: DeviceOrientationEvent): void => {
    const { alpha, beta, gamma, timeStamp } = event;
    if (alpha === null || beta === null || gamma === null || this.session) return;
    this.tracking.value = "orientation";
    this.stick.orient(phoneOrientation({ alpha, beta, gamma }, screenAngle()));
    this.give(this.clock.toPage(timeStamp / 1000, pageTime()));
    this.moved();
  };

  private give(time: number): void {
    const buttons = [true, ...ACTIONS.map((each) => this.pressed.has(each))];
    this.sink?.add([{ time, poses: [this.stick.pose()], axes: [], buttons }]);
  }
}

function screenAngle(): number {
  return typeof screen === "undefined" ? 0 : (screen.orientation?.angle ?? 0);
}
