// Drags a constraint: moves or resizes it until release or cancel.

import { Vector3 } from "three";
import { gripsOf, pulled, sizeOf } from "../constraints/grips";
import { draggedConstraint } from "../state/constraints";
import {
  cancelInteraction,
  interaction,
  commitInteraction,
  previewChange,
} from "../state/interaction";
import { selectedConstraint, take } from "../state/view";
import { clipped, rayAt } from "../viewport/projection";
import { AXES } from "../viewport/gizmo";
import { AXIS_COLOURS } from "../viewport/theme";
import { length } from "../controls/pointText";
import type { Stage } from "../viewport/stage";
import type { Constraint, ConstraintInfo, Vec3 } from "../wire/messages";
import { Aim, alongAxis, inScreenPlane, overGround } from "./aim";
import { activeDrag, type ActiveDrag } from "../viewport/activeDrag";

const ON_GROUND = 0.02; // m, how near the ground a box stands on it

export class ConstraintDrag implements ActiveDrag {
  private axis: number | null;
  private readonly fixed: boolean; // its axis is its own
  private readonly aim: Aim;
  private readonly start: Vector3;
  private readonly grip: string;
  private readonly before: Constraint;
  private id: number | null = null;
  private waiting: Constraint | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly info: ConstraintInfo,
    grip: string,
    world: Vector3,
    x: number,
    y: number,
  ) {
    this.grip = grip || "middle"; // its outline moves all of it
    this.before = info.constraint;
    const own = gripsOf(this.before, world.toArray()).find((each) => each.id === this.grip);
    this.axis = own?.axis ?? null;
    this.fixed = own?.axis !== undefined;
    this.start = own ? new Vector3(...own.place) : world.clone();
    this.aim = new Aim(x, y);
    selectedConstraint.value = { kind: "constraint", index: info.index };
    activeDrag.value = this;
  }

  to(x: number, y: number, precise: boolean): void {
    this.aim.to(x, y, precise);
    this.updateTarget();
  }

  lock(axis: number): void {
    if (this.fixed) return;
    this.axis = this.axis === axis ? null : axis;
    this.updateTarget();
  }

  adjust(): void {}

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
    if (activeDrag.peek() !== this) return;
    if (this.id !== null) commitInteraction();
    this.end();
  }

  cancel(): void {
    if (this.id !== null && interaction.peek()?.id === this.id) cancelInteraction();
    draggedConstraint.value = null;
    this.end();
  }

  private updateTarget(): void {
    const now = pulled(this.before, this.grip, this.place());
    this.waiting = now;
    draggedConstraint.value = { index: this.info.index, constraint: now };
    this.stage.changed();
  }

  private end(): void {
    activeDrag.value = null;
    this.stage.dragLines.showAxis(null, "");
    this.stage.readout.hide();
    this.stage.changed();
  }

  private place(): Vec3 {
    const { orbit } = this.stage;
    const pressed = rayAt(orbit, this.aim.startX, this.aim.startY);
    const now = rayAt(orbit, this.aim.x, this.aim.y);
    if (this.axis !== null) return alongAxis(this.start, AXES[this.axis]!, pressed, now).toArray();
    const back = new Vector3().setFromMatrixColumn(orbit.camera.matrixWorld, 2);
    return (this.stands() ? overGround : inScreenPlane)(this.start, back, pressed, now).toArray();
  }

  /** A box on the ground stays there, unless an axis is chosen. */
  private stands(): boolean {
    const region = this.before.kind === "region" ? this.before.region : null;
    return region?.shape === "box" && Math.abs(region.low[1]) < ON_GROUND;
  }

  draw(): void {
    const { orbit, dragLines, readout } = this.stage;
    const axis = this.axis === null ? null : AXES[this.axis]!;
    const far = 40 * orbit.scale;
    const ways =
      axis &&
      clipped(
        orbit,
        this.start.clone().addScaledVector(axis, -far),
        this.start.clone().addScaledVector(axis, far),
      );
    dragLines.showAxis(ways, this.axis === null ? "" : AXIS_COLOURS[this.axis]!);
    readout.show(this.text(), this.aim.x, this.aim.y, 18, 18);
  }

  private text(): string {
    const now = draggedConstraint.peek()?.constraint ?? this.before;
    const region = now.kind === "region" ? now.region : null;
    if (region && "radius" in region && this.grip === "radius")
      return `radius ${length(region.radius)}`;
    if (region?.shape === "box" && this.fixed)
      return sizeOf(region)
        .map((each) => length(each))
        .join(" × ");
    if (now.kind === "floor") return length(now.height ?? 0);
    return length(new Vector3(...this.place()).distanceTo(this.start));
  }
}
