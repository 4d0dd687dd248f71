// Drags a handle that a tool shows: in its preview, where the interaction stays open, or at rest.

import type { Vector3 } from "three";
import {
  beginInteraction,
  cancelInteraction,
  interaction,
  updateInteraction,
} from "../state/interaction";
import { frame, playing, previewDraggedFrame, rate, returnsToFrame } from "../state/view";
import { activeGesture, type ActiveGesture, type PointerSample } from "../viewport/activeGesture";
import { AXES } from "../viewport/gizmoAxes";
import type { Pick } from "../viewport/pick";
import type { Stage } from "../viewport/stage";
import { length } from "../controls/pointText";
import { Aim } from "./aim";
import { draggedPlace, showAxis } from "./draggedPlace";
import { releaseInteraction } from "./release";

export class HandleDrag implements ActiveGesture {
  private axis: number | null = null;
  private readonly aim: Aim;
  private readonly id: number;
  private readonly frameBefore: number;
  private readonly moment: number | null; // the frame that it edits
  private readonly start: Vector3;
  private waiting = false;

  constructor(
    private readonly stage: Stage,
    private readonly handle: Extract<Pick, { kind: "handle" }>,
    { x, y }: { x: number; y: number },
    tool: string,
  ) {
    this.aim = new Aim(x, y);
    this.start = handle.world.clone();
    const { time } = handle.info;
    this.id = interaction.peek()?.id ?? beginInteraction(tool, null, time ?? 0);
    this.frameBefore = frame.peek();
    this.moment = time === null ? null : Math.round(time * rate.peek());
    if (this.moment !== null && previewDraggedFrame.peek() && !playing.peek())
      frame.value = this.moment;
    stage.overlays.hovered = handle.name;
    activeGesture.value = this;
  }

  to(samples: readonly PointerSample[], precise: boolean): void {
    this.aim.follow(samples, precise);
    this.waiting = true;
    this.stage.changed();
  }

  lock(axis: number): void {
    this.axis = this.axis === axis ? null : axis;
    this.waiting = true;
    this.stage.changed();
  }

  step(): void {
    if (interaction.peek()?.id !== this.id) return this.end();
    if (!this.waiting) return;
    this.waiting = false;
    const axes = this.axis === null ? {} : { axes: [AXES[this.axis]!.toArray()] };
    updateInteraction({ position: this.place().toArray(), ...axes }, this.handle.name);
  }

  commit(): void {
    this.step();
    if (activeGesture.peek() !== this) return;
    releaseInteraction();
    this.end();
  }

  /** Forgets the whole interaction, as the handle belongs to it. */
  cancel(): void {
    if (interaction.peek()?.id === this.id) cancelInteraction();
    this.end(true);
  }

  draw(): void {
    showAxis(this.stage, this.start, this.axis);
    const text = length(this.place().distanceTo(this.start));
    this.stage.readout.show(text, this.aim.x, this.aim.y, 18, 18);
  }

  private place(): Vector3 {
    const { grounded } = this.handle.info;
    return draggedPlace(this.stage, this.aim, this.start, this.axis, grounded);
  }

  private end(cancelled = false): void {
    activeGesture.value = null;
    const returns = cancelled || returnsToFrame.peek();
    if (returns && this.moment !== null && frame.peek() === this.moment)
      frame.value = this.frameBefore;
    this.stage.overlays.hovered = null;
    this.stage.readout.hide();
    showAxis(this.stage, this.start, null);
    this.stage.changed();
  }
}
