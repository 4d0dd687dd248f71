// Drags the value of a channel at a frame, up and down a strip.

import {
  beginInteraction,
  cancelInteraction,
  commitInteraction,
  interaction,
  updateInteraction,
} from "../state/interaction";
import { frame, playing, previewDraggedFrame, rate } from "../state/view";
import { activeGesture, type ActiveGesture, type PointerSample } from "../viewport/activeGesture";
import { stage } from "../viewport/stage";
import { adjustAffectedRange } from "./affectedRange";
import { Aim } from "./aim";

export interface ChannelPlace {
  tool: string;
  channel: string; // its full name
  frame: number;
  value: number;
  perPixel: number; // value of a px upwards
}

export class ChannelDrag implements ActiveGesture {
  value: number;
  private readonly aim: Aim;
  private readonly id: number;
  private readonly frameBefore = frame.peek();
  private readonly followed = previewDraggedFrame.peek() && !playing.peek();
  private waiting = false;

  constructor(
    readonly from: ChannelPlace,
    { x, y }: { x: number; y: number },
  ) {
    this.aim = new Aim(x, y);
    this.value = from.value;
    const time = from.frame / rate.peek();
    this.id = beginInteraction(from.tool, null, time, { channels: [from.channel] });
    if (this.followed) frame.value = from.frame;
    activeGesture.value = this;
  }

  to(samples: readonly Pick<PointerSample, "x" | "y">[], precise: boolean): void {
    this.aim.follow(samples, precise);
    this.value = this.from.value + (this.aim.startY - this.aim.y) * this.from.perPixel;
    this.waiting = true;
    stage?.changed();
  }

  adjust(_: "chain" | "reach", steps: number): void {
    adjustAffectedRange(this.from.tool, steps);
  }

  step(): void {
    if (interaction.peek()?.id !== this.id) return this.end();
    if (this.waiting)
      updateInteraction({ position: [0, this.value, 0] }, `channel:${this.from.channel}`);
    this.waiting = false;
  }

  commit(): void {
    this.step();
    if (activeGesture.peek() !== this) return;
    commitInteraction();
    this.end();
  }

  cancel(): void {
    if (interaction.peek()?.id === this.id) cancelInteraction();
    this.end();
  }

  private end(): void {
    if (activeGesture.peek() === this) activeGesture.value = null;
    if (this.followed && frame.peek() === this.from.frame) frame.value = this.frameBefore;
    stage?.changed();
  }
}
