// A gamepad as a puppet's stick: the left stick leads over the ground, the right one raises, a trigger holds, buttons flick and act.

import { Vector3 } from "three";
import type { Vec3 } from "../wire/messages";
import {
  ACTIONS,
  HELD,
  JUMP,
  NO_ROTATION,
  pageTime,
  type Device,
  type DeviceLayout,
  type Sink,
} from "./device";
import { connectedGamepads, readSticks } from "./gamepad";

export const HOLDS = 0.5; // of a trigger's way
const SPEED = 2; // body heights a second, with the left stick at its end
const REACH = 0.35; // body heights up or down, with the right stick at its end
const FLICK = { height: 0.35, seconds: 0.45 }; // body heights

const BUTTONS = [HELD, JUMP, ...ACTIONS];

export class GamepadStick implements Device {
  readonly name = "gamepad";
  readonly label = "Gamepad";
  readonly space = "world";
  readonly reportsChanges = false;
  private sink: Sink | null = null;
  private readonly place: Vector3;
  private before = 0; // s, of the last sample
  private flicked = -Infinity; // s, when the button was pressed
  private pressed = false;

  /** Held at a place; `yaw` is where "ahead" is, `size` a body's height, m. */
  constructor(
    place: Vec3,
    private readonly yaw: number,
    private readonly size: number,
  ) {
    this.place = new Vector3(...place);
  }

  layout(): DeviceLayout {
    return { poses: 1, axisNames: [], buttonNames: BUTTONS };
  }

  available(): boolean {
    return connectedGamepads().length > 0;
  }

  start(sink: Sink): Promise<void> {
    this.sink = sink;
    this.before = pageTime();
    this.poll();
    return Promise.resolve();
  }

  stop(): void {
    this.sink = null;
  }

  private poll(): void {
    const pads = connectedGamepads().map(readSticks);
    const held = pads.find(({ trigger }) => trigger > HOLDS);
    if (!this.sink) return;
    if (!held) return this.sink.end(pads.length ? "" : "The gamepad was disconnected.");
    const now = pageTime();
    this.lead(held.left, now - this.before);
    const [flicks, ...acts] = held.buttons;
    if (flicks && !this.pressed) this.flicked = now;
    this.pressed = flicks;
    this.before = now;
    const height = this.size * (REACH * held.right[1] + this.jump(now - this.flicked));
    const position = this.place
      .clone()
      .add(new Vector3(0, height, 0))
      .toArray();
    const buttons = [true, flicks, ...acts];
    this.sink.add([{ time: now, poses: [[position, NO_ROTATION]], axes: [], buttons }]);
    requestAnimationFrame(() => this.poll());
  }

  private lead([x, y]: readonly [number, number], seconds: number): void {
    const step = SPEED * this.size * seconds;
    this.place.x += step * (Math.cos(this.yaw) * x - Math.sin(this.yaw) * y);
    this.place.z += step * (-Math.sin(this.yaw) * x - Math.cos(this.yaw) * y);
  }

  /** Body heights above the ground, some seconds after the button was pressed. */
  private jump(seconds: number): number {
    const share = seconds / FLICK.seconds;
    return share < 1 ? 4 * FLICK.height * share * (1 - share) : 0;
  }
}
