// A puppet is held by a stick: from the grab to the release samples are sent; the release commits, whatever the connection does.

import { effect, signal } from "@preact/signals-core";
import type { Device, DeviceSample, Sink } from "../devices/device";
import { pageTime } from "../devices/device";
import { IN_THE_WORLD } from "../devices/performanceMessage";
import { documentState, inStep, welcome } from "../state/document";
import {
  cancelInteraction,
  commitInteraction,
  committing,
  interaction,
} from "../state/interaction";
import { toast } from "../state/receive";
import { character, frame, playing, rate } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import { activeGesture, type ActiveGesture } from "../viewport/activeGesture";
import type { Stage } from "../viewport/stage";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { line } from "../wire/socket";
import { DeviceFeed, type Mapping } from "./deviceFeed";
import { ownExchange, PerformanceSender } from "./performanceSender";
import { select } from "./select";

/** "held"; "sending": it was released, and the server has not confirmed it yet. */
export const stickPhase = signal<"held" | "sending" | null>(null);
/** s on the page's clock, of the first sample of what is held; null where nothing is. */
export const heldSince = signal<number | null>(null);
/** s since then. */
export const heldSeconds = signal(0);

/** Samples count from the grab on. */
const MAPPING: Mapping = {
  timeOf: (time) => time - (heldSince.peek() ?? time),
  placing: IN_THE_WORLD,
};

/** Grabs a character at a point, or the chosen one where the tool has its grip; false where that cannot be now. */
export function grab(stage: Stage, device: Device, point: PointRef | null): boolean {
  if (!mayEdit()) return false;
  if (stickPhase.peek() === "sending") {
    toast("The last performance is still on its way.", "info");
    return false;
  }
  activeGesture.peek()?.cancel();
  if (point) select(point);
  playing.value = false;
  new StickPerformance(stage, device, point);
  return true;
}

export class StickPerformance implements ActiveGesture, Sink {
  readonly keepsFingers = true;
  readonly leads: string;
  private readonly sender: PerformanceSender;
  private readonly feed: DeviceFeed;
  private readonly tool = activeTool().name;
  private takes: number | null = null; // of the character, before the commit
  private readonly forget: () => void;

  constructor(
    private readonly stage: Stage,
    private readonly device: Device,
    point: PointRef | null,
  ) {
    const item = { point, channels: [] };
    this.leads = point?.character || character.peek();
    this.sender = new PerformanceSender(ownExchange(this.tool, item, frame.peek() / rate.peek()));
    this.feed = new DeviceFeed(device, this.sender, () => MAPPING);
    activeGesture.value = this;
    stickPhase.value = "held";
    [heldSince.value, heldSeconds.value] = [null, 0];
    stage.opening.dragged(this.tool);
    this.forget = effect(() => {
      void [interaction.value, welcome.value, inStep.value, committing.value, line.value];
      queueMicrotask(() => this.follow());
    });
    device.start(this).catch((error: Error) => {
      toast(error.message, "warning");
      this.cancel();
    });
  }

  add(samples: readonly DeviceSample[]): void {
    heldSince.value ??= samples[0]?.time ?? null;
    this.feed.add(samples);
    this.feed.step(pageTime()); // at once: the next picture may be 16 ms away
    this.stage.changed();
  }

  end(reason: string): void {
    if (reason) toast(reason, "warning");
    this.commit();
  }

  to(): void {} // a finger on the picture is no device

  step(): void {
    if (activeGesture.peek() !== this) return;
    const now = pageTime();
    heldSeconds.value = now - (heldSince.peek() ?? now);
    this.feed.step(now);
    this.stage.changed();
  }

  /** The release: what was performed is kept, at once or as soon as the server is there again. */
  commit(released = pageTime()): void {
    if (activeGesture.peek() !== this) return;
    this.device.stop();
    this.feed.end(released);
    this.leave();
    stickPhase.value = "sending";
    this.send();
  }

  cancel(): void {
    this.device.stop();
    this.close();
    if (this.sender.isActive) cancelInteraction();
    this.leave();
  }

  private send(): void {
    if (line.peek() !== "open" || !this.sender.isActive) return; // `follow` sends it later
    this.takes = takeCount();
    this.sender.flush(pageTime());
    commitInteraction();
  }

  /** The connection or the interaction changed: begin again where it was cut off, commit again where that was lost. */
  private follow(): void {
    const isReleased = stickPhase.peek() === "sending" && activeGesture.peek() !== this;
    if (this.sender.isActive || line.peek() !== "open" || !inStep.peek()) return;
    if (!this.sender.wasCutOff) {
      if (!isReleased) return this.interrupted();
      if (!committing.peek().has(this.sender.id)) this.close();
      return;
    }
    if (isReleased && this.takes !== null && takeCount() > this.takes) return this.close(); // it had arrived
    this.sender.again(pageTime(), false, undefined);
    if (isReleased) this.send();
  }

  /** The server has ended it: by an undo, or as another document was opened. */
  private interrupted(): void {
    if (activeGesture.peek() === this) this.cancel();
  }

  private leave(): void {
    if (activeGesture.peek() === this) activeGesture.value = null;
    this.stage.changed();
  }

  private close(): void {
    this.forget();
    stickPhase.value = null;
  }
}

function takeCount(): number {
  return documentState.peek()?.takes[character.peek()]?.length ?? 0;
}
