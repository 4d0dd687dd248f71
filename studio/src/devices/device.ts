// The interface of a device: something that is held or moved while a movement is acted.

import type { Quat, Vec3 } from "../wire/messages";

export type DevicePose = [position: Vec3, orientation: Quat]; // quaternions wxyz

/** What a device was at one time. */
export interface DeviceSample {
  time: number; // s, on the page's clock
  poses: readonly DevicePose[];
  axes: readonly number[];
  buttons: readonly boolean[];
}

/** What every sample of one recording holds. */
export interface DeviceLayout {
  poses: number;
  axisNames: readonly string[];
  buttonNames: readonly string[];
}

/** What the positions of a device mean: px of the viewport (x right, y up, z towards the viewer), px from where
 * a finger was set on a pad, shares of the scene's size along the same axes, metres around somebody who looks at the
 * screen, or metres of the world. */
export type DeviceSpace = "screen" | "pad" | "view" | "room" | "world";

/** Where the samples of a device go. */
export interface Sink {
  add(samples: readonly DeviceSample[]): void;
  /** It gives no more samples; "" where that was to be expected, as at the end of a file. */
  end(reason: string): void;
}

export interface Device {
  name: string; // as messages name it
  label: string; // as people read it
  space: DeviceSpace;
  /** It reports changes only: between two samples it stays where it was. */
  reportsChanges: boolean;
  /** Fixed by `start`; for a pointer, by its first sample. */
  layout(): DeviceLayout;
  available(): boolean;
  /** Begins to give samples; rejects with a reason where it cannot. */
  start(sink: Sink): Promise<void>;
  /** From now on samples count: the count-in is over. */
  begin?(): void;
  stop(): void;
}

/** The button by which a stick holds a puppet. */
export const HELD = "held";
/** The button by which a second stick holds the head of the same puppet. */
export const HEAD = "head";
/** The button of a device that makes the flick of a jump by itself: it is no gesture. */
export const JUMP = "jump";
/** Buttons that ask a puppet for an action; they hold nothing. */
export const ACTIONS = ["punch", "kick", "throw"] as const;
export type Action = (typeof ACTIONS)[number];
/** The buttons of a stick. */
export const STICK_BUTTONS = [HELD, ...ACTIONS] as const;

export const NO_ROTATION: Quat = [1, 0, 0, 0];

/** s on the page's clock. */
export function pageTime(): number {
  return performance.now() / 1000;
}
