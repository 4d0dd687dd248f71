// A phone: its screen is a touch pad, and its tilt an orientation.

import { Euler, MathUtils, Quaternion } from "three";
import type { Quat } from "../wire/messages";
import type { Device, DeviceLayout, Sink } from "./device";
import { NO_ROTATION, pageTime } from "./device";
import { DeviceClock } from "./deviceClock";
import type { PointerSample } from "./pointer";

const LAYOUT: DeviceLayout = {
  poses: 1,
  axisNames: ["pad_x", "pad_y", "tilt_x", "tilt_y"], // pads -1 to 1, tilts in rad
  buttonNames: ["touch"],
};

type Asking = { requestPermission?: () => Promise<PermissionState> };

export class PhoneDevice implements Device {
  readonly name = "phone";
  readonly label = "Touch pad and tilt";
  readonly space = "pad";
  readonly reportsChanges = true;
  private sink: Sink | null = null;
  private touched = false;
  private last: PointerSample | null = null; // of the finger that is down
  private place = { x: 0, y: 0 }; // px, x right, y up
  private turn: Quat = NO_ROTATION;
  private first: Quaternion | null = null; // how it was held at first
  private clock = new DeviceClock();
  private tilts: [number, number] = [0, 0];

  /** `half` px from the middle of the pad are 1 on its axes. */
  constructor(private readonly half = 150) {}

  layout(): DeviceLayout {
    return LAYOUT;
  }

  available(): boolean {
    return typeof matchMedia !== "undefined" && matchMedia("(pointer: coarse)").matches;
  }

  async start(sink: Sink): Promise<void> {
    this.sink = sink;
    [this.place, this.first, this.turn, this.tilts] = [{ x: 0, y: 0 }, null, NO_ROTATION, [0, 0]];
    this.clock = new DeviceClock();
    if (typeof DeviceOrientationEvent !== "undefined") {
      // iOS asks the user; without an answer the pad works alone
      await (DeviceOrientationEvent as Asking).requestPermission?.().catch(() => null);
      addEventListener("deviceorientation", this.tilted);
    }
    this.give(pageTime());
  }

  stop(): void {
    this.sink = null;
    if (typeof removeEventListener !== "undefined")
      removeEventListener("deviceorientation", this.tilted);
  }

  /** A finger moved over the pad; where it is set down again, the movement goes on. */
  feed(samples: readonly PointerSample[]): void {
    for (const each of samples) {
      if (this.last) this.place.x += each.x - this.last.x;
      if (this.last) this.place.y -= each.y - this.last.y;
      [this.last, this.touched] = [each, true];
      this.give(each.time);
    }
  }

  lift(): void {
    [this.last, this.touched] = [null, false];
    this.give(pageTime());
  }

  private readonly tilted = (event: DeviceOrientationEvent): void => {
    const { alpha, beta, gamma, timeStamp } = event;
    if (alpha === null || beta === null || gamma === null) return;
    const held = new Quaternion().setFromEuler(
      new Euler(rad(beta), rad(alpha), rad(-gamma), "YXZ"),
    );
    this.first ??= held.clone();
    const { w, x, y, z } = this.first.clone().invert().multiply(held);
    this.turn = [w, x, y, z];
    this.tilts = [2 * Math.atan2(x, w), 2 * Math.atan2(y, w)];
    this.give(this.clock.toPage(timeStamp / 1000, pageTime()));
  };

  private give(time: number): void {
    const { x, y } = this.place;
    const axes = [clamped(x / this.half), clamped(y / this.half), ...this.tilts];
    this.sink?.add([{ time, poses: [[[x, y, 0], this.turn]], axes, buttons: [this.touched] }]);
  }
}

function rad(degrees: number): number {
  return MathUtils.degToRad(degrees);
}

function clamped(value: number): number {
  return MathUtils.clamp(value, -1, 1);
}
