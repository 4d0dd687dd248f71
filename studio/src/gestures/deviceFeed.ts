// Samples of a device on their way to a performance: checked, mapped to its time and place, and sent.

import type { Device, DeviceSample } from "../devices/device";
import { performanceMessage, type Placing } from "../devices/performanceMessage";
import { SampleStream } from "../devices/sampleStream";
import type { PerformanceSender } from "./performanceSender";

/** What samples mean to a performance. */
export interface Mapping {
  timeOf: (time: number) => number; // s of the performance, for s on the page's clock
  placing: Placing;
}

export class DeviceFeed {
  private readonly stream: SampleStream;
  private latest = -Infinity; // s of the performance

  /** `mapping` gives null until the performance has begun. */
  constructor(
    private readonly device: Device,
    private readonly sender: PerformanceSender,
    private readonly mapping: () => Mapping | null,
  ) {
    this.stream = new SampleStream(() => device.layout());
  }

  /** How many samples could not be used. */
  get refused(): number {
    return this.stream.refused;
  }

  add(samples: readonly DeviceSample[]): void {
    this.stream.add(samples);
  }

  /** Sends what has come until `now` (s); a device that reports changes only has rested since its last sample. */
  step(now: number): void {
    if (this.device.reportsChanges) this.stream.hold(now);
    this.pass();
    this.sender.step(now);
  }

  /** The device was where it is until its release (s). */
  end(released: number): void {
    if (this.device.reportsChanges) this.stream.rest(released);
    this.pass();
  }

  /** Samples go to the sender as messages. */
  pass(): void {
    const mapping = this.mapping();
    if (!mapping) return;
    const { name } = this.device;
    const timeOf = (time: number) => this.timeOf(time, mapping);
    for (const chunk of this.stream.take())
      this.sender.add(
        performanceMessage(name, this.device.layout(), chunk, timeOf, mapping.placing),
      );
  }

  /** Never falls, although a clock may correct the moments ahead of it. */
  private timeOf(time: number, mapping: Mapping): number {
    this.latest = Math.max(this.latest, mapping.timeOf(time));
    return this.latest;
  }
}
