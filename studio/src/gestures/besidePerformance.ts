// Another controller holds another puppet, while the window's own performance goes on.

import { effect } from "@preact/signals-core";
import type { Device, DeviceSample, Sink } from "../devices/device";
import { pageTime } from "../devices/device";
import { IN_THE_WORLD } from "../devices/performanceMessage";
import { besideInteractions, endBeside, forgetBeside } from "../state/besideInteractions";
import { inStep, welcome } from "../state/document";
import { toast } from "../state/receive";
import { frame, rate } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import type { PointRef } from "../wire/messages";
import { line } from "../wire/socket";
import { DeviceFeed } from "./deviceFeed";
import { besideExchange, PerformanceSender } from "./performanceSender";

export class BesidePerformance implements Sink {
  private readonly sender: PerformanceSender;
  private readonly feed: DeviceFeed;
  private began: number | null = null; // s on the page's clock
  private isReleased = false;
  private readonly forget: () => void;

  constructor(
    private readonly device: Device,
    point: PointRef,
  ) {
    const time = frame.peek() / rate.peek();
    this.sender = new PerformanceSender(besideExchange(activeTool().name, point, time));
    const timeOf = (at: number) => at - (this.began ?? at);
    this.feed = new DeviceFeed(device, this.sender, () => ({ timeOf, placing: IN_THE_WORLD }));
    this.forget = effect(() => {
      void [besideInteractions.value, welcome.value, inStep.value, line.value];
      queueMicrotask(() => this.follow());
    });
    void device.start(this);
  }

  add(samples: readonly DeviceSample[]): void {
    this.began ??= samples[0]?.time ?? null;
    this.feed.add(samples);
    this.feed.step(pageTime());
  }

  /** The release. */
  end(reason: string): void {
    if (reason) toast(reason, "warning");
    this.device.stop();
    this.feed.pass();
    this.isReleased = true;
    this.commit();
  }

  private commit(): void {
    if (line.peek() !== "open" || !this.sender.isActive) return; // `follow` sends it later
    this.sender.flush(pageTime());
    this.forget();
    endBeside(this.sender.id, "CommitInteraction");
  }

  /** After a lost connection all is sent again; what the server has ended is over. */
  private follow(): void {
    if (this.sender.isActive && !this.sender.wasCutOff) return;
    if (line.peek() !== "open" || !inStep.peek()) return;
    if (!this.sender.wasCutOff) {
      this.forget();
      return this.device.stop();
    }
    forgetBeside(this.sender.id); // of the lost connection
    this.sender.again(pageTime(), false, undefined);
    if (this.isReleased) this.commit();
  }
}
