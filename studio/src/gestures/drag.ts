// Drags a point: moves, rotates or retimes it until release or cancel.

import { Quaternion, Vector3 } from "three";
import { previews, rigOf, welcome } from "../state/document";
import {
  cancelInteraction,
  beginInteraction,
  interaction,
  resumeInteraction,
  updateInteraction,
  setInteractionOptions,
  type DragContext,
  type DragTarget,
} from "../state/interaction";
import {
  character,
  previewDraggedFrame,
  frame,
  options,
  playing,
  rate,
  returnsToFrame,
  type Verb,
} from "../state/view";
import { toolOf } from "../tools/shared/registry";
import { activeGesture, type ActiveGesture, type PointerSample } from "../viewport/activeGesture";
import { project, type Seen } from "../viewport/projection";
import { axesAt } from "../viewport/gizmoAxes";
import { curveOf, jointOf, orientationAt, sampleAt } from "../viewport/motionCurve";
import { length } from "../controls/pointText";
import { rotationAt, worldAt } from "../viewport/shownPose";
import type { Stage } from "../viewport/stage";
import type { PointRef } from "../wire/messages";
import { jointsAbove } from "./chain";
import { adjustAffectedRange } from "./affectedRange";
import { Aim, angleAround, rolled } from "./aim";
import { draggedPlace, showAxis } from "./draggedPlace";
import { releaseInteraction } from "./release";

export interface DragStart {
  point: PointRef;
  frame: number;
  verb: Verb;
  tool: string;
  axis?: number;
  place?: Vector3; // where the pointer met it
  ground?: boolean; // a footplant: moves over the ground
  context?: DragContext;
}

const TIME_PIXELS = 160; // px for a time scale of 1

export class Drag implements ActiveGesture {
  axis: number | null;
  private readonly aim: Aim;
  private readonly id: number;
  private readonly start: Vector3;
  private readonly turned: Quaternion;
  private readonly frameBefore: number;
  private readonly followed: boolean;
  private readonly axes: readonly Vector3[];
  private waiting: DragTarget | null = null;
  private scale = 0;
  private message = "";
  private chain: number; // joints above the held point that may rotate; 0 for all

  constructor(
    private readonly stage: Stage,
    readonly from: DragStart,
    x: number,
    y: number,
  ) {
    const curve = curveOf(from.point, false);
    this.aim = new Aim(x, y);
    this.axes = axesAt(from.point, from.frame);
    this.axis = from.axis ?? null;
    this.start =
      (from.verb === "turn"
        ? worldAt(jointOf(from.point), from.frame)
        : curve && sampleAt(curve, from.frame)) ??
      worldAt(from.point, from.frame) ??
      from.place?.clone() ??
      new Vector3();
    this.turned = (curve && orientationAt(curve, from.frame)) ?? rotationAt(from.point, from.frame);
    this.frameBefore = frame.peek();
    this.followed = previewDraggedFrame.peek() && !playing.peek();
    this.chain = Number(options.peek()[from.tool]?.[toolOf(from.tool).chainLength ?? ""] ?? 0);
    const time = from.frame / rate.peek();
    this.id =
      (interaction.peek()?.unkeyed ? resumeInteraction(from.tool, from.point, time) : null) ??
      beginInteraction(from.tool, from.point, time, from.context);
    if (this.followed) frame.value = from.frame;
    activeGesture.value = this;
  }

  to(samples: readonly PointerSample[], precise: boolean): void {
    this.aim.follow(samples, precise);
    this.updateTarget();
  }

  /** An axis, or the same again for none. */
  lock(axis: number): void {
    this.axis = this.axis === axis ? null : axis;
    this.updateTarget();
  }

  adjust(what: "chain" | "reach", steps: number): void {
    const ranged = toolOf(this.from.tool).affectedRange !== undefined; // then Alt is for the chain
    if ((what === "chain") !== ranged) this.adjustChain(steps);
    else if (ranged) this.adjustAffectedRange(steps);
    else this.adjustTimeReach(steps);
  }

  private adjustAffectedRange(steps: number): void {
    this.message = adjustAffectedRange(this.from.tool, steps) ?? "";
    this.stage.changed();
  }

  /** Joints that may move, for this drag only; beyond the last one it is the whole body. */
  private adjustChain(steps: number): void {
    const { point, tool } = this.from;
    const name = toolOf(tool).chainLength;
    if (!name) return;
    const rig = rigOf(point.character || character.peek());
    if (!rig) return;
    const all = jointsAbove(rig, point).length;
    const next = Math.max((this.chain || all) + steps, Math.min(1, all));
    this.chain = next >= all ? 0 : next;
    this.message =
      this.chain === 0
        ? "Chain: whole body"
        : `Chain: ${this.chain} ${this.chain === 1 ? "joint" : "joints"}`;
    setInteractionOptions({ [name]: this.chain });
    this.stage.changed();
  }

  private adjustTimeReach(steps: number): void {
    const { tool } = this.from;
    const name = toolOf(tool).timeReach;
    const info = welcome.peek()?.tools.find((each) => each.name === tool);
    const reach = info?.options.find((option) => option.name === name);
    if (!name || !reach) return;
    const now = options.peek()[tool] ?? {};
    const next = Math.min(
      Math.max(Number(now[name] ?? 0) + steps, reach.low ?? 0),
      reach.high ?? Infinity,
    );
    options.value = { ...options.peek(), [tool]: { ...now, [name]: next } };
    this.message =
      next === 0 ? "Time reach: this segment" : `Time reach: ${next} more on both sides`;
    setInteractionOptions();
    this.stage.changed();
  }

  /** Once per drawn frame: sends the newest target. */
  step(): void {
    if (this.waiting && interaction.peek()?.id === this.id) updateInteraction(this.waiting);
    this.waiting = null;
    if (interaction.peek()?.id !== this.id) this.end(); // taken over, such as by an offer of one key
  }

  commit(): void {
    this.step();
    if (activeGesture.peek() !== this) return;
    releaseInteraction();
    this.end();
  }

  cancel(): void {
    if (interaction.peek()?.id === this.id) cancelInteraction();
    this.end(true);
  }

  private updateTarget(): void {
    this.message = "";
    this.waiting = this.wanted();
    this.stage.changed();
  }

  private end(cancelled = false): void {
    activeGesture.value = null;
    const returns = this.followed && (cancelled || returnsToFrame.peek());
    if (returns && frame.peek() === this.from.frame) frame.value = this.frameBefore;
    const { dragLines, amount, readout } = this.stage;
    dragLines.showRemaining(null, null);
    dragLines.showAxis(null, "");
    dragLines.showChain([]);
    amount.hide();
    readout.hide();
    this.stage.changed();
  }

  private wanted(): DragTarget {
    if (this.from.verb === "turn") return { orientation: this.turn() };
    if (this.from.verb === "time") {
      this.scale = (this.aim.x - this.aim.startX) / TIME_PIXELS;
      return { time_scale: this.scale };
    }
    const { ground } = this.from;
    const place = draggedPlace(this.stage, this.aim, this.start, this.axis, ground, this.axes);
    const axes = this.axis === null ? {} : { axes: [this.axes[this.axis]!.toArray()] };
    return { position: place.toArray(), ...axes };
  }

  private turn(): [number, number, number, number] {
    const turn = this.turnedBy().multiply(this.turned).normalize();
    return [turn.w, turn.x, turn.y, turn.z];
  }

  /** Rolls like a ball where it was held, around the point from further off; an axis keeps to it. */
  private turnedBy(): Quaternion {
    const view = this.stage.orbit.camera.matrixWorld;
    const column = (i: number) => new Vector3().setFromMatrixColumn(view, i);
    const { aim } = this;
    const centre = project(this.stage.orbit, this.start);
    const far = centre ? Math.hypot(aim.startX - centre.x, aim.startY - centre.y) : 0;
    const around =
      centre && far > 24 ? angleAround(centre, { x: aim.startX, y: aim.startY }, aim) : null;
    if (this.axis !== null) {
      const axis = this.axes[this.axis]!;
      const facing = Math.sign(axis.dot(column(2))) || 1;
      const angle = around !== null ? around * facing : (aim.x - aim.startX) * 0.01;
      return new Quaternion().setFromAxisAngle(axis, angle);
    }
    if (around !== null) return new Quaternion().setFromAxisAngle(column(2), around);
    return rolled(aim.x - aim.startX, aim.y - aim.startY, column(0), column(1));
  }

  /** Draws what only a drag shows: the axis, what is left, how far it went. */
  draw(): void {
    const { orbit, dragLines, amount, readout } = this.stage;
    const info = previews.peek().get(this.id);
    const target = interaction.peek()?.target;
    const wanted = target ? project(orbit, new Vector3(...target)) : null;
    const left = info ? (info.solvedRemaining ?? info.drag?.remaining ?? 0) : 0;
    const remaining = info?.drag && left > 5e-4 && this.from.verb === "move";
    const reached = remaining ? project(orbit, new Vector3(...info.drag!.position)) : null;
    dragLines.showRemaining(reached, remaining ? wanted : null);
    if (reached && wanted && remaining)
      amount.show(
        `${length(left)} remaining`,
        (reached.x + wanted.x) / 2,
        (reached.y + wanted.y) / 2,
        10,
        -8,
      );
    else amount.hide();
    showAxis(this.stage, this.start, this.axis, this.axes);
    dragLines.showChain(this.chainSeen());
    const text = this.message || (reached ? "" : this.text(target)); // what is left matters more than how far
    if (text) readout.show(text, this.aim.x, this.aim.y, 18, 18);
    else readout.hide();
  }

  /** Where the joints that may move are on the page, from the held point up. */
  private chainSeen(): Seen[] {
    const rig = this.chain ? rigOf(this.from.point.character || character.peek()) : undefined;
    if (!rig) return [];
    const { point } = this.from;
    const joints = jointsAbove(rig, point).slice(0, this.chain);
    const points: PointRef[] = joints.map((joint) => ({
      joint: rig.joints[joint]!,
      character: point.character ?? "",
      offset: [0, 0, 0],
    }));
    return [point, ...points].flatMap((each) => {
      const place = worldAt(each, frame.peek());
      const seen = place && project(this.stage.orbit, place);
      return seen ? [seen] : [];
    });
  }

  private text(target: [number, number, number] | null | undefined): string {
    if (this.from.verb === "turn")
      return `${Math.round((this.turnedBy().angleTo(new Quaternion()) * 180) / Math.PI)}°`;
    if (this.from.verb === "time")
      return `Time scale ${this.scale >= 0 ? "+" : "−"}${Math.abs(this.scale).toFixed(2)}`;
    if (!target) return "";
    const name = this.axis === null ? "" : `${"XYZ"[this.axis]!} `;
    return name + length(new Vector3(...target).distanceTo(this.start));
  }
}
