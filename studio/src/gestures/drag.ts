// A hand on a point: pulls, turns or times it until it lets go or forgets.

import { signal } from "@preact/signals-core";
import { Quaternion, Vector3 } from "three";
import { hands, rigOf, welcome } from "../state/document";
import { forget, grab, held, letGo, move, tune, type Brought, type Wanted } from "../state/hands";
import { character, followHeld, frame, options, playing, rate, type Verb } from "../state/view";
import { clipped, project, rayAt, type Seen } from "../viewport/eye";
import { AXES } from "../viewport/gizmo";
import { AXIS_COLOURS } from "../viewport/looks";
import { curveOf, jointOf, orientationAt, sampleAt } from "../viewport/samples";
import { length } from "../viewport/say";
import { turnAt, worldAt } from "../viewport/shown";
import type { Stage } from "../viewport/stage";
import type { PointRef } from "../wire/messages";
import { jointsAbove } from "./chain";
import { Aim, alongAxis, angleAround, inScreenPlane, overGround, rolled } from "./aim";

export interface Grip {
  spot: PointRef;
  frame: number;
  verb: Verb;
  tool: string;
  axis?: number;
  place?: Vector3; // where it was met
  ground?: boolean; // a plant: goes over the ground
  brought?: Brought;
}

/** A hand between press and release. */
export interface InHand {
  to(x: number, y: number, precise: boolean): void;
  lock(axis: number): void;
  /** More or fewer joints of the chain, or segments of the time that may change. */
  lengthen(what: "chain" | "reach", steps: number): void;
  /** Once for each picture. */
  step(): void;
  drop(): void;
  forget(): void;
  draw(): void;
}

/** What this window's hand does in the viewport right now. */
export const dragging = signal<InHand | null>(null);

const TIME_PIXELS = 160; // px for a time scale of 1

export class Drag implements InHand {
  axis: number | null;
  private readonly aim: Aim;
  private readonly hand: number;
  private readonly start: Vector3;
  private readonly turned: Quaternion;
  private readonly frameBefore: number;
  private readonly followed: boolean;
  private waiting: Wanted | null = null;
  private scale = 0;
  private said = "";
  private chain: number; // joints above the held point that may rotate; 0 for all

  constructor(
    private readonly stage: Stage,
    readonly grip: Grip,
    x: number,
    y: number,
  ) {
    const curve = curveOf(grip.spot, false);
    this.aim = new Aim(x, y);
    this.axis = grip.axis ?? null;
    this.start =
      (grip.verb === "turn"
        ? worldAt(jointOf(grip.spot), grip.frame)
        : curve && sampleAt(curve, grip.frame)) ??
      worldAt(grip.spot, grip.frame) ??
      grip.place?.clone() ??
      new Vector3();
    this.turned = (curve && orientationAt(curve, grip.frame)) ?? turnAt(grip.spot, grip.frame);
    this.frameBefore = frame.peek();
    this.followed = followHeld.peek() && !playing.peek();
    this.chain = Number(options.peek()[grip.tool]?.["chain"] ?? 0);
    this.hand = grab(grip.tool, grip.spot, grip.frame / rate.peek(), grip.brought);
    if (this.followed) frame.value = grip.frame;
    dragging.value = this;
  }

  to(x: number, y: number, precise: boolean): void {
    this.aim.to(x, y, precise);
    this.ask();
  }

  /** An axis, or the same again for none. */
  lock(axis: number): void {
    this.axis = this.axis === axis ? null : axis;
    this.ask();
  }

  lengthen(what: "chain" | "reach", steps: number): void {
    if (what === "chain") this.lengthenChain(steps);
    else this.lengthenReach(steps);
  }

  /** Joints that may move, for this drag only; beyond the last one it is the whole body. */
  private lengthenChain(steps: number): void {
    const { spot, tool } = this.grip;
    const told = welcome.peek()?.tools.find((each) => each.name === tool);
    if (!told?.options.some((option) => option.name === "chain")) return;
    const rig = rigOf(spot.character || character.peek());
    if (!rig) return;
    const all = jointsAbove(rig, spot).length;
    const next = Math.max((this.chain || all) + steps, Math.min(1, all));
    this.chain = next >= all ? 0 : next;
    this.said =
      this.chain === 0
        ? "Chain: whole body"
        : `Chain: ${this.chain} ${this.chain === 1 ? "joint" : "joints"}`;
    tune({ chain: this.chain });
    this.stage.changed();
  }

  private lengthenReach(steps: number): void {
    const told = welcome.peek()?.tools.find((each) => each.name === this.grip.tool);
    const reach = told?.options.find((option) => option.name === "reach");
    if (!reach) return;
    const now = options.peek()[this.grip.tool] ?? {};
    const next = Math.min(
      Math.max(Number(now["reach"] ?? 0) + steps, reach.low ?? 0),
      reach.high ?? 8,
    );
    options.value = { ...options.peek(), [this.grip.tool]: { ...now, reach: next } };
    this.said = next === 0 ? "Reach: this segment" : `Reach: ${next} more on both sides`;
    tune();
    this.stage.changed();
  }

  /** Once for each picture: says what is wanted now. */
  step(): void {
    if (this.waiting && held.peek()?.hand === this.hand) move(this.waiting);
    this.waiting = null;
    if (held.peek()?.hand !== this.hand) this.end(); // taken over, such as by an offer of one key
  }

  drop(): void {
    this.step();
    if (dragging.peek() !== this) return;
    letGo();
    this.end();
  }

  forget(): void {
    if (held.peek()?.hand === this.hand) forget();
    this.end();
  }

  private ask(): void {
    this.said = "";
    this.waiting = this.wanted();
    this.stage.changed();
  }

  private end(): void {
    dragging.value = null;
    if (this.followed && frame.peek() === this.grip.frame) frame.value = this.frameBefore;
    const { strings, amount, readout } = this.stage;
    strings.showShort(null, null);
    strings.showAxis(null, "");
    strings.showChain([]);
    amount.hide();
    readout.hide();
    this.stage.changed();
  }

  private wanted(): Wanted {
    if (this.grip.verb === "turn") return { orientation: this.turn() };
    if (this.grip.verb === "time") {
      this.scale = (this.aim.x - this.aim.startX) / TIME_PIXELS;
      return { time_scale: this.scale };
    }
    const axis = this.axis === null ? null : AXES[this.axis]!;
    const place = this.place(axis);
    return { position: place.toArray(), ...(axis ? { axes: [axis.toArray()] } : {}) };
  }

  private place(axis: Vector3 | null): Vector3 {
    const { orbit } = this.stage;
    const pressed = rayAt(orbit, this.aim.startX, this.aim.startY);
    const now = rayAt(orbit, this.aim.x, this.aim.y);
    if (axis) return alongAxis(this.start, axis, pressed, now);
    const back = new Vector3().setFromMatrixColumn(orbit.camera.matrixWorld, 2);
    return (this.grip.ground ? overGround : inScreenPlane)(this.start, back, pressed, now);
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
      const axis = AXES[this.axis]!;
      const facing = Math.sign(axis.dot(column(2))) || 1;
      const angle = around !== null ? around * facing : (aim.x - aim.startX) * 0.01;
      return new Quaternion().setFromAxisAngle(axis, angle);
    }
    if (around !== null) return new Quaternion().setFromAxisAngle(column(2), around);
    return rolled(aim.x - aim.startX, aim.y - aim.startY, column(0), column(1));
  }

  /** Draws what only a drag shows: the axis, what is left, how far it went. */
  draw(): void {
    const { orbit, strings, amount, readout } = this.stage;
    const told = hands.peek().get(this.hand);
    const target = held.peek()?.target;
    const wanted = target ? project(orbit, new Vector3(...target)) : null;
    const left = told ? (told.settled ?? told.short) : 0;
    const short = told && left > 5e-4 && this.grip.verb === "move";
    const reached = short ? project(orbit, new Vector3(...told.reached)) : null;
    strings.showShort(reached, short ? wanted : null);
    if (reached && wanted && short)
      amount.say(
        `${length(left)} short`,
        (reached.x + wanted.x) / 2,
        (reached.y + wanted.y) / 2,
        10,
        -8,
      );
    else amount.hide();
    const axis = this.axis === null ? null : AXES[this.axis]!;
    const far = 40 * orbit.scale;
    const ways =
      axis &&
      clipped(
        orbit,
        this.start.clone().addScaledVector(axis, -far),
        this.start.clone().addScaledVector(axis, far),
      );
    strings.showAxis(ways, this.axis === null ? "" : AXIS_COLOURS[this.axis]!);
    strings.showChain(this.chainSeen());
    const words = this.said || (reached ? "" : this.words(target)); // what is left matters more than how far
    if (words) readout.say(words, this.aim.x, this.aim.y, 18, 18);
    else readout.hide();
  }

  /** Where the joints that may move are on the page, from the held point up. */
  private chainSeen(): Seen[] {
    const rig = this.chain ? rigOf(this.grip.spot.character || character.peek()) : undefined;
    if (!rig) return [];
    const { spot } = this.grip;
    const joints = jointsAbove(rig, spot).slice(0, this.chain);
    const spots: PointRef[] = joints.map((joint) => ({
      joint: rig.joints[joint]!,
      character: spot.character ?? "",
      offset: [0, 0, 0],
    }));
    return [spot, ...spots].flatMap((each) => {
      const place = worldAt(each, frame.peek());
      const seen = place && project(this.stage.orbit, place);
      return seen ? [seen] : [];
    });
  }

  private words(target: [number, number, number] | null | undefined): string {
    if (this.grip.verb === "turn")
      return `${Math.round((this.turnedBy().angleTo(new Quaternion()) * 180) / Math.PI)}°`;
    if (this.grip.verb === "time")
      return `Timing ${this.scale >= 0 ? "+" : "−"}${Math.abs(this.scale).toFixed(2)}`;
    if (!target) return "";
    const name = this.axis === null ? "" : `${"XYZ"[this.axis]!} `;
    return name + length(new Vector3(...target).distanceTo(this.start));
  }
}
