// Drags along a motion curve: a frame's tick to another moment, or the whole item to another phase.

import {
  interaction,
  leaveOpen,
  resumeInteraction,
  setInteractionOptions,
  updateInteraction,
  type DragContext,
} from "../state/interaction";
import { rate } from "../state/view";
import { toolOf } from "../tools/shared/registry";
import { continueOn, frameAlong, indexAt, periodOf } from "../viewport/loopCurve";
import { curveOf, sampleAt } from "../viewport/motionCurve";
import { seenLine } from "../viewport/picking";
import { project } from "../viewport/projection";
import type { MotionCurve } from "../state/document";
import type { Stage } from "../viewport/stage";
import { CurveGesture, type CurvePlace } from "./curveGesture";
import { limbChannels } from "./limbChannels";

/** A drag that keeps to the curve as it was at the press. */
abstract class AlongCurve extends CurveGesture {
  private readonly curve: MotionCurve | null;
  private readonly period: number; // frames; 0 where the curve does not close
  private index: number; // of the sample under the pointer, over the seam and on
  private readonly off: { x: number; y: number }; // px from the pointer to the held frame

  constructor(
    stage: Stage,
    from: CurvePlace,
    at: { x: number; y: number },
    context: DragContext = {},
    resumed: number | null = null,
  ) {
    super(stage, from, at, context, resumed);
    this.curve = curveOf(from.point, false);
    this.period = this.curve ? periodOf(this.curve) : 0;
    const live = curveOf(from.point);
    const place = live && sampleAt(live, from.frame);
    const seen = place && project(stage.orbit, place);
    this.off = seen ? { x: seen.x - at.x, y: seen.y - at.y } : { x: 0, y: 0 };
    const line = this.line();
    const last = line.length - 1;
    const start = this.curve ? indexAt(from.frame, last, this.curve.perFrame, this.period) : 0;
    // another tick may have moved this one along the curve already
    const moved = resumed !== null && seen !== null;
    this.index = moved ? continueOn(line, start, seen.x, seen.y, this.period > 0) : start;
  }

  /** How many frames further along the curve the pointer is. */
  protected frames(): number {
    if (!this.curve) return 0;
    const line = this.line();
    const [x, y] = [this.aim.x + this.off.x, this.aim.y + this.off.y];
    this.index = continueOn(line, this.index, x, y, this.period > 0);
    const by =
      frameAlong(this.index, line.length - 1, this.curve.perFrame, this.period) - this.from.frame;
    const most = this.period > 0 ? this.period / 2 : Infinity;
    return Math.min(Math.max(by, -most), most);
  }

  private line() {
    return this.curve ? seenLine(this.stage, this.curve, this.period) : [];
  }
}

function signed(frames: number): string {
  const digits = Math.abs(frames).toFixed(1);
  return `${frames < 0 ? "−" : "+"}${digits} ${digits === "1.0" ? "frame" : "frames"}`;
}

/** The held frame shows another moment of the loop; the timing around it follows. */
export class TickDrag extends AlongCurve {
  private by = 0; // frames
  private holds = false;

  constructor(stage: Stage, from: CurvePlace, at: { x: number; y: number }) {
    const resumed = resumeInteraction(from.tool, from.point, from.frame / rate.peek());
    super(stage, from, at, {}, resumed);
    this.holds = resumed !== null;
    const others = resumed === null ? [] : stage.curves.held;
    const own = { point: from.point, frame: from.frame };
    stage.curves.held = [...others.filter((each) => each.frame !== own.frame), own];
  }

  hold(): void {
    this.holds = !this.holds;
    this.stage.changed();
  }

  protected send(): void {
    this.by = this.frames();
    updateInteraction({ to_time: (this.from.frame + this.by) / rate.peek() });
  }

  protected text(): string {
    const more = this.holds ? " · held: drag another tick" : "";
    return `Frame ${this.from.frame}: ${signed(this.by)}${more}`;
  }

  protected override release(): void {
    if (this.holds) leaveOpen();
    else super.release();
  }

  protected override end(): void {
    if (!interaction.peek()) this.stage.curves.held = [];
    super.end();
  }
}

/** The limb of the point plays its loop earlier or later than the others. */
export class PhaseDrag extends AlongCurve {
  private later = 0; // frames

  constructor(stage: Stage, from: CurvePlace, at: { x: number; y: number }) {
    super(stage, from, at, { channels: limbChannels(from.point) });
  }

  protected send(): void {
    const option = toolOf(this.from.tool).phase;
    this.later = -this.frames();
    if (option) setInteractionOptions({ [option]: this.later / rate.peek() });
  }

  protected text(): string {
    return `Phase ${signed(this.later)}`;
  }
}
