// Mouse, pen and touch over the viewport as a device; a pen has pressure and tilt, too.

import type { Action, Device, DeviceLayout, DeviceSample, Sink } from "./device";
import { NO_ROTATION } from "./device";

/** Where a pointer was, and how it was held. */
export interface PointerSample {
  x: number; // px from the upper left corner of the viewport
  y: number;
  time: number; // s
  pressure: number; // 0 to 1
  tiltX: number; // rad
  tiltY: number;
  kind?: string; // "mouse", "pen" or "touch"
  action?: Action | null; // that a key asks for
}

const PEN_AXES = ["pressure", "tilt_x", "tilt_y"]; // tilts in rad

export function pointerLayout(kind: string): DeviceLayout {
  return { poses: 1, axisNames: kind === "pen" ? PEN_AXES : [], buttonNames: [] };
}

/** Samples of a kind of pointer, in px with y upwards. */
export function pointerSamples(kind: string, samples: readonly PointerSample[]): DeviceSample[] {
  return samples.map(({ x, y, time, pressure, tiltX, tiltY }) => ({
    time,
    poses: [[[x, -y, 0], NO_ROTATION]],
    axes: kind === "pen" ? [pressure, tiltX, tiltY] : [],
    buttons: [],
  }));
}

export class PointerDevice implements Device {
  name = "mouse"; // or what its first sample is of, as all of a recording are alike
  readonly label = "Mouse, pen or touch";
  readonly space = "screen";
  readonly reportsChanges = true;
  private isFirst = true;
  private sink: Sink | null = null;

  layout(): DeviceLayout {
    return pointerLayout(this.name);
  }

  available(): boolean {
    return true;
  }

  start(sink: Sink): Promise<void> {
    this.sink = sink;
    this.isFirst = true;
    return Promise.resolve();
  }

  /** The pointer moved along these samples. */
  feed(samples: readonly PointerSample[]): void {
    if (this.isFirst) this.name = samples[0]?.kind ?? "mouse";
    this.isFirst = false;
    this.sink?.add(pointerSamples(this.name, samples));
  }

  stop(): void {
    this.sink = null;
  }
}
