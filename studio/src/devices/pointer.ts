// Mouse, pen and touch over the viewport as a device; a pen has pressure and tilt, too.

import type { Device, DeviceLayout, DeviceSample, Sink } from "./device";
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
}

const PEN_AXES = ["pressure", "tilt_x", "tilt_y"]; // tilts in rad

export class PointerDevice implements Device {
  readonly label = "Mouse, pen or touch";
  readonly space = "screen";
  readonly reportsChanges = true;
  private kind: string | null = null; // of its first sample, as all of a recording are alike
  private sink: Sink | null = null;

  get name(): string {
    return this.kind ?? "mouse";
  }

  layout(): DeviceLayout {
    return { poses: 1, axisNames: this.kind === "pen" ? PEN_AXES : [], buttonNames: [] };
  }

  available(): boolean {
    return true;
  }

  start(sink: Sink): Promise<void> {
    this.sink = sink;
    this.kind = null;
    return Promise.resolve();
  }

  /** The pointer moved along these samples. */
  feed(samples: readonly PointerSample[]): void {
    this.kind ??= samples[0]?.kind ?? null;
    this.sink?.add(samples.map((each) => this.sample(each)));
  }

  stop(): void {
    this.sink = null;
  }

  private sample({ x, y, time, pressure, tiltX, tiltY }: PointerSample): DeviceSample {
    const axes = this.kind === "pen" ? [pressure, tiltX, tiltY] : [];
    return { time, poses: [[[x, -y, 0], NO_ROTATION]], axes, buttons: [] };
  }
}
