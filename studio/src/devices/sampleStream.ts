// Samples of one recording until they are sent: checked, in order, none lost.

import type { DeviceLayout, DeviceSample } from "./device";

const MOST = 2000; // samples of one message, well below what the server accepts
const STILL = 0.1; // s without a sample after which a device that reports changes only has rested

export class SampleStream {
  /** Samples that were not numbers, or not as many as the others. */
  refused = 0;
  private waiting: DeviceSample[] = [];
  private latest: DeviceSample | null = null;
  private rests = false;

  constructor(private readonly layout: () => DeviceLayout) {}

  /** Adds samples; times never fall, and what cannot be used is counted and left out. */
  add(samples: readonly DeviceSample[]): void {
    if (samples.length) this.rests = false;
    for (const each of samples) {
      if (!this.fits(each)) this.refused++;
      else this.push({ ...each, time: Math.max(each.time, this.latest?.time ?? -Infinity) });
    }
  }

  /** A device that reports changes only was where it is until now (s). */
  hold(now: number): void {
    this.rests ||= this.latest !== null && now - this.latest.time > STILL;
    if (this.rests) this.rest(now);
  }

  /** It is still where it was. */
  rest(now: number): void {
    if (this.latest && now > this.latest.time) this.push({ ...this.latest, time: now });
  }

  /** What was added since the last call, in chunks. */
  take(): DeviceSample[][] {
    const chunks: DeviceSample[][] = [];
    for (let at = 0; at < this.waiting.length; at += MOST)
      chunks.push(this.waiting.slice(at, at + MOST));
    this.waiting = [];
    return chunks;
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  private push(sample: DeviceSample): void {
    this.latest = sample;
    this.waiting.push(sample);
  }

  private fits({ time, poses, axes, buttons }: DeviceSample): boolean {
    const { poses: count, axisNames, buttonNames } = this.layout();
    const numbers = [time, ...axes, ...poses.flat(2)];
    return (
      poses.length === count &&
      axes.length === axisNames.length &&
      buttons.length === buttonNames.length &&
      numbers.every(Number.isFinite)
    );
  }
}
