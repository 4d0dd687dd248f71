// What drags on a motion curve share: one interaction from press to release, a readout beside the pointer.

import {
  beginInteraction,
  cancelInteraction,
  commitInteraction,
  interaction,
  type DragContext,
} from "../state/interaction";
import { frame, playing, previewDraggedFrame, rate } from "../state/view";
import { activeGesture, type ActiveGesture, type PointerSample } from "../viewport/activeGesture";
import type { Stage } from "../viewport/stage";
import type { PointRef } from "../wire/messages";
import { adjustAffectedRange } from "./affectedRange";
import { Aim } from "./aim";

export interface CurvePlace {
  tool: string;
  point: PointRef;
  frame: number;
}

export abstract class CurveGesture implements ActiveGesture {
  protected readonly aim: Aim;
  private readonly id: number;
  private readonly frameBefore = frame.peek();
  private readonly followed = previewDraggedFrame.peek() && !playing.peek();
  private waiting = false;
  private message = "";

  constructor(
    protected readonly stage: Stage,
    protected readonly from: CurvePlace,
    { x, y }: { x: number; y: number },
    context: DragContext = {},
    resumed: number | null = null, // an interaction that it goes on with
  ) {
    this.aim = new Aim(x, y);
    const time = from.frame / rate.peek();
    this.id = resumed ?? beginInteraction(from.tool, from.point, time, context);
    if (this.followed) frame.value = from.frame;
    activeGesture.value = this;
  }

  /** Sends where the pointer is now. */
  protected abstract send(): void;

  /** What it comes to so far. */
  protected abstract text(): string;

  to(samples: readonly PointerSample[], precise: boolean): void {
    this.aim.follow(samples, precise);
    this.changed();
  }

  adjust(_: "chain" | "reach", steps: number): void {
    const text = adjustAffectedRange(this.from.tool, steps);
    this.changed();
    this.message = text ?? "";
  }

  step(): void {
    if (interaction.peek()?.id !== this.id) return this.end();
    if (this.waiting) this.send();
    this.waiting = false;
  }

  commit(): void {
    this.step();
    if (activeGesture.peek() !== this) return;
    this.release();
    this.end();
  }

  protected release(): void {
    commitInteraction();
  }

  cancel(): void {
    if (interaction.peek()?.id === this.id) cancelInteraction();
    this.end();
  }

  draw(): void {
    this.stage.readout.show(this.message || this.text(), this.aim.x, this.aim.y, 18, 18);
  }

  protected changed(): void {
    this.message = "";
    this.waiting = true;
    this.stage.changed();
  }

  protected end(): void {
    activeGesture.value = null;
    if (this.followed && frame.peek() === this.from.frame) frame.value = this.frameBefore;
    this.stage.readout.hide();
    this.stage.changed();
  }
}
