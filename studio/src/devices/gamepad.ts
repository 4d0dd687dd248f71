// A gamepad: its sticks and triggers are axes, and together a pose with six degrees of freedom.

import { Euler, MathUtils, Quaternion } from "three";
import type { Device, DeviceLayout, DevicePose, DeviceSample, Sink } from "./device";
import { pageTime } from "./device";

const DEAD = 0.08; // of a stick, that rests a little off its middle
const REACH = 0.25; // of the scene's size, for a stick at its end
const TURN = MathUtils.degToRad(60); // for the right stick at its end
const ROLL = MathUtils.degToRad(45); // for a shoulder button

const AXES = ["left_x", "left_y", "right_x", "right_y", "left_trigger", "right_trigger"];
const BUTTONS = [
  ...["a", "b", "x", "y", "left_shoulder", "right_shoulder", "left_trigger", "right_trigger"],
  ...["back", "start", "left_stick", "right_stick", "up", "down", "left", "right"],
];
const [LEFT_SHOULDER, RIGHT_SHOULDER, LEFT_TRIGGER, RIGHT_TRIGGER] = [4, 5, 6, 7] as const;

export class GamepadDevice implements Device {
  readonly name = "gamepad";
  readonly label = "Gamepad";
  readonly space = "view";
  readonly reportsChanges = false;
  private sink: Sink | null = null;
  private index = -1;
  private shape: DeviceLayout = { poses: 1, axisNames: AXES, buttonNames: BUTTONS };
  private asked = 0; // s, when its state was read last

  layout(): DeviceLayout {
    return this.shape;
  }

  available(): boolean {
    return connectedGamepads().length > 0;
  }

  start(sink: Sink): Promise<void> {
    const pad = newest();
    if (!pad) return Promise.reject(new Error("Press a button of the gamepad, then record."));
    this.sink = sink;
    this.index = pad.index;
    this.shape = { poses: 1, ...namesOf(pad) };
    this.asked = pageTime();
    this.poll();
    return Promise.resolve();
  }

  stop(): void {
    this.sink = null;
  }

  private poll(): void {
    const { sink } = this;
    if (!sink) return;
    const pad = connectedGamepads().find((each) => each.index === this.index);
    if (!pad) return sink.end("The gamepad was disconnected.");
    const now = pageTime();
    sink.add([{ ...read(pad), time: this.timeOf(pad.timestamp / 1000, now) }]);
    this.asked = now;
    requestAnimationFrame(() => this.poll());
  }

  /** When it changed, if that was since it was read last; else it still is as it was. */
  private timeOf(changed: number, now: number): number {
    return changed > this.asked && changed <= now ? changed : now;
  }
}

export function connectedGamepads(): Gamepad[] {
  if (typeof navigator === "undefined" || !navigator.getGamepads) return [];
  return navigator.getGamepads().filter((each): each is Gamepad => each?.connected === true);
}

/** The one that was used last. */
function newest(): Gamepad | undefined {
  return connectedGamepads().sort((one, other) => other.timestamp - one.timestamp)[0];
}

function isStandard(pad: Gamepad): boolean {
  return pad.mapping === "standard" && pad.axes.length >= 4 && pad.buttons.length >= 16;
}

function namesOf(pad: Gamepad): Omit<DeviceLayout, "poses"> {
  if (isStandard(pad)) return { axisNames: AXES, buttonNames: BUTTONS };
  return {
    axisNames: pad.axes.map((_, i) => `axis_${i}`),
    buttonNames: pad.buttons.map((_, i) => `button_${i}`),
  };
}

function read(pad: Gamepad): Omit<DeviceSample, "time"> {
  if (isStandard(pad)) return readStandard(pad);
  const [x, y] = stick(pad.axes[0] ?? 0, pad.axes[1] ?? 0);
  return {
    poses: [
      [
        [REACH * x, REACH * y, 0],
        [1, 0, 0, 0],
      ],
    ],
    axes: [...pad.axes],
    buttons: pad.buttons.map(({ pressed }) => pressed),
  };
}

function readStandard(pad: Gamepad): Omit<DeviceSample, "time"> {
  const value = (button: number) => pad.buttons[button]?.value ?? 0;
  const sticks = [stick(pad.axes[0]!, pad.axes[1]!), stick(pad.axes[2]!, pad.axes[3]!)];
  const axes = [...sticks.flat(), value(LEFT_TRIGGER), value(RIGHT_TRIGGER)];
  const roll = value(LEFT_SHOULDER) - value(RIGHT_SHOULDER);
  return {
    poses: [poseOf(axes, roll)],
    axes,
    buttons: BUTTONS.map((_, i) => pad.buttons[i]?.pressed ?? false),
  };
}

/** The left stick and the triggers move it, the right stick and the shoulder buttons rotate it. */
function poseOf(axes: readonly number[], roll: number): DevicePose {
  const [x, y, yaw, pitch, away, near] = axes as [number, number, number, number, number, number];
  const turned = new Quaternion().setFromEuler(
    new Euler(-TURN * pitch, TURN * yaw, ROLL * roll, "YXZ"),
  );
  return [
    [REACH * x, REACH * y, REACH * (near - away)],
    [turned.w, turned.x, turned.y, turned.z],
  ];
}

/** Sticks of a gamepad with y upwards, its strongest trigger, and its buttons A, B, X and Y. */
export function readSticks(pad: Gamepad) {
  const [x = 0, y = 0, rightX = 0, rightY = 0] = pad.axes;
  const value = (button: number) => pad.buttons[button]?.value ?? 0;
  const isDown = (button: number) => pad.buttons[button]?.pressed ?? false;
  return {
    left: stick(x, y),
    right: stick(rightX, rightY),
    trigger: Math.max(value(LEFT_TRIGGER), value(RIGHT_TRIGGER)),
    buttons: [isDown(0), isDown(1), isDown(2), isDown(3)] as const,
  };
}

/** A stick with y upwards: 0 in its dead zone, and from there on without a jump. */
function stick(x: number, y: number): [number, number] {
  const far = Math.hypot(x, y);
  if (far <= DEAD) return [0, 0];
  const scale = (Math.min(far, 1) - DEAD) / (1 - DEAD) / far;
  return [scale * x, -scale * y];
}
