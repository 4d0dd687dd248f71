// Drags a constraint: moves or resizes it until release or cancel.

import { Vector3 } from "three";
import { handlesOf, withHandleAt, sizeOf } from "../constraints/handles";
import { draggedConstraint } from "../state/constraints";
import {
  cancelInteraction,
  interaction,
  commitInteraction,
  previewChange,
} from "../state/interaction";
import { selectedConstraint, take } from "../state/view";
import { length } from "../controls/pointText";
import type { Stage } from "../viewport/stage";
import type { Constraint, ConstraintInfo, Vec3 } from "../wire/messages";
import { Aim } from "./aim";
import { draggedPlace, showAxis } from "./draggedPlace";
import { activeGesture, type ActiveGesture, type PointerSample } from "../viewport/activeGesture";

const ON_GROUND = 0.02; // m, how near the ground a box stands on it

export class ConstraintDrag implements ActiveGesture {
  private axis: number | null;
  private readonly fixed: boolean; // its axis is its own
  private readonly aim: Aim;
  private readonly start: Vector3;
  private readonly handle: string;
  private readonly before: Constraint;
  private id: number | null = null;
  private waiting: Constraint | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly info: ConstraintInfo,
    handle: string,
    world: Vector3,
    x: number,
    y: number,
  ) {
    this.handle = handle || "middle"; // its outline moves all of it
    this.before = info.constraint;
    const own = handlesOf(this.before, world.toArray()).find((each) => each.id === this.handle);
    this.axis = own?.axis ?? null;
    this.fixed = own?.axis !== undefined;
    this.start = own ? new Vector3(...own.place) : world.clone();
    this.aim = new Aim(x, y);
    selectedConstraint.value = { kind: "constraint", index: info.index };
    activeGesture.value = this;
  }

  to(samples: readonly PointerSample[], precise: boolean): void {
    this.aim.follow(samples, precise);
    this.updateTarget();
  }

  lock(axis: number): void {
    if (this.fixed) return;
    this.axis = this.axis === axis ? null : axis;
    this.updateTarget();
  }

  step(): void {
    const taken = this.id !== null && interaction.peek()?.id !== this.id;
    if (taken) return this.end();
    if (this.waiting) {
      const { index, character } = this.info;
      const change = {
        change: "ChangeConstraint",
        character,
        take: take.peek(),
        index,
        constraint: this.waiting,
      } as const;
      this.id = previewChange(change);
    }
    this.waiting = null;
  }

  commit(): void {
    this.step();
    if (activeGesture.peek() !== this) return;
    if (this.id !== null) commitInteraction();
    this.end();
  }

  cancel(): void {
    if (this.id !== null && interaction.peek()?.id === this.id) cancelInteraction();
    draggedConstraint.value = null;
    this.end();
  }

  private updateTarget(): void {
    const now = withHandleAt(this.before, this.handle, this.place());
    this.waiting = now;
    draggedConstraint.value = { index: this.info.index, constraint: now };
    this.stage.changed();
  }

  private end(): void {
    activeGesture.value = null;
    this.stage.dragLines.showAxis(null, "");
    this.stage.readout.hide();
    this.stage.changed();
  }

  private place(): Vec3 {
    return draggedPlace(this.stage, this.aim, this.start, this.axis, this.stands()).toArray();
  }

  /** A box on the ground stays there, unless an axis is chosen. */
  private stands(): boolean {
    const region = this.before.kind === "region" ? this.before.region : null;
    return region?.shape === "box" && Math.abs(region.low[1]) < ON_GROUND;
  }

  draw(): void {
    showAxis(this.stage, this.start, this.axis);
    this.stage.readout.show(this.text(), this.aim.x, this.aim.y, 18, 18);
  }

  private text(): string {
    const now = draggedConstraint.peek()?.constraint ?? this.before;
    const region = now.kind === "region" ? now.region : null;
    if (region && "radius" in region && this.handle === "radius")
      return `radius ${length(region.radius)}`;
    if (region?.shape === "box" && this.fixed)
      return sizeOf(region)
        .map((each) => length(each))
        .join(" × ");
    if (now.kind === "floor") return length(now.height ?? 0);
    return length(new Vector3(...this.place()).distanceTo(this.start));
  }
}
