// The motion curves of the selected points: line, ticks, keys and, if switched on, arrows.

import { effect } from "@preact/signals-core";
import type { Vector2 } from "three";
import { Color, Group, Quaternion, Vector3, type ShaderMaterial } from "three";
import { previews, pointKey, type MotionCurve } from "../state/document";
import { interaction } from "../state/interaction";
import { frame, orientationArrows, points, rate, speedColours } from "../state/view";
import type { PointRef } from "../wire/messages";
import { AXIS_COLOURS, themeColours } from "./theme";
import { Ribbon, ribbonMaterial } from "./ribbon";
import {
  curveOf,
  partAround,
  reachOf,
  sampleAt,
  segmentAround,
  stillFits,
  type Part,
} from "./motionCurve";
import { set } from "./shaders";
import { smoothed } from "./resample";
import { Symbols, type Symbol3 } from "./symbols";
import { ARROW, arrowMaterial, BAR, Flock, tickMaterial } from "./ticks";

/** What the pointer is over, as far as curves care. */
export interface Lit {
  point: PointRef;
  frame: number | null; // null lights the whole curve
}

class Trace extends Group {
  private readonly line = new Ribbon(ribbonMaterial(false));
  private readonly hiddenLine = new Ribbon(ribbonMaterial(true), this.line.geometry);
  private readonly ticks = new Flock(tickMaterial(false), BAR.corners, BAR.triangles);
  private readonly hiddenTicks = new Flock(tickMaterial(true), [], [], this.ticks.geometry);
  private readonly arrows = new Flock(arrowMaterial(20), ARROW.corners, ARROW.triangles);
  private drawn: MotionCurve | null = null;
  private part: Part | null = null;
  private withArrows = false;

  constructor() {
    super();
    [this.hiddenLine, this.hiddenTicks, this.line, this.ticks, this.arrows].forEach((each, i) => {
      each.renderOrder = 10 + i;
      this.add(each);
    });
  }

  show(
    curve: MotionCurve,
    span: readonly [number, number] | null,
    lit: boolean,
    acts: boolean,
  ): void {
    const arrows = orientationArrows.value;
    const fits = this.part && stillFits(this.part, curve, frame.value);
    if (curve !== this.drawn || !fits || arrows !== this.withArrows) this.draw(curve, arrows);
    const now = themeColours.value;
    for (const material of this.materials()) {
      set(material, "past", now.past);
      set(material, "future", now.future);
      set(material, "edited", now.edited);
      set(material, "rim", now["stage-bottom"]);
      set(material, "now", frame.value);
      set(material, "reach", reachOf(curve));
      set(material, "lit", lit ? 1 : 0);
      set(material, "bySpeed", speedColours.value ? 1 : 0);
      (material.uniforms["span"]!.value as Vector2).set(...(span ?? ([-2, -1] as const)));
    }
    const width = (acts ? 2.6 : 1.8) + (lit ? 1 : 0);
    set(this.line.material, "width", width);
    set(this.hiddenLine.material, "width", width);
  }

  private materials(): ShaderMaterial[] {
    return [this.line, this.hiddenLine, this.ticks, this.hiddenTicks].map((each) => each.material);
  }

  private draw(curve: MotionCurve, arrows: boolean): void {
    this.drawn = curve;
    this.withArrows = arrows;
    this.part = partAround(curve, frame.value, rate.value);
    const { curve: seen, first } = this.part;
    const { positions, at, speeds } = smoothed(seen, rate.value);
    this.line.draw(
      positions,
      at.map((each) => each + first),
      speeds,
    );
    this.drawTicks(
      seen,
      first,
      speeds,
      (at.length - 1) / Math.max(seen.positions.length / 3 - 1, 1),
    );
    this.arrows.visible = arrows;
    if (arrows) this.drawArrows(seen);
  }

  private drawTicks(curve: MotionCurve, first: number, speed: Float32Array, pieces: number): void {
    const total = curve.positions.length / 3;
    const count = Math.floor((total - 1) / curve.perFrame) + 1;
    const [centre, ahead] = [new Float32Array(3 * count), new Float32Array(3 * count)];
    const [at, quick, five] = [
      new Float32Array(count),
      new Float32Array(count),
      new Float32Array(count),
    ];
    for (let f = 0; f < count; f++) {
      const i = f * curve.perFrame;
      const next =
        i + curve.perFrame < total ? i + curve.perFrame : Math.max(i - curve.perFrame, 0);
      centre.set(curve.positions.subarray(3 * i, 3 * i + 3), 3 * f);
      ahead.set(curve.positions.subarray(3 * next, 3 * next + 3), 3 * f);
      at[f] = first + f;
      quick[f] = speed[i * pieces] ?? 0;
      five[f] = (first + f) % 5 === 0 ? 1 : 0;
    }
    this.ticks.draw({
      centre: { of: centre, width: 3 },
      ahead: { of: ahead, width: 3 },
      at: { of: at, width: 1 },
      speed: { of: quick, width: 1 },
      five: { of: five, width: 1 },
    });
  }

  /** How the point is turned, at every second frame: its own x, y and z. */
  private drawArrows(curve: MotionCurve): void {
    const total = curve.positions.length / 3;
    const centres: number[] = [];
    const ways: number[] = [];
    const tints: number[] = [];
    const [turn, way, colour] = [new Quaternion(), new Vector3(), new Color()];
    for (let i = 0; i < total; i += 2 * curve.perFrame) {
      turn.fromArray(curve.orientations, 4 * i);
      for (let axis = 0; axis < 3; axis++) {
        way.set(0, 0, 0).setComponent(axis, 1).applyQuaternion(turn);
        centres.push(...curve.positions.subarray(3 * i, 3 * i + 3));
        ways.push(...way.toArray());
        tints.push(...colour.set(AXIS_COLOURS[axis]!).toArray());
      }
    }
    this.arrows.draw({
      centre: { of: new Float32Array(centres), width: 3 },
      way: { of: new Float32Array(ways), width: 3 },
      tint: { of: new Float32Array(tints), width: 3 },
    });
  }

  free(): void {
    this.line.geometry.dispose();
    this.ticks.geometry.dispose();
    this.arrows.geometry.dispose();
    for (const material of [...this.materials(), this.arrows.material]) material.dispose();
  }
}

export class Curves extends Group {
  private readonly traces = new Map<string, Trace>();
  private readonly keys = new Symbols(16);
  lit: Lit | null = null;

  constructor() {
    super();
    this.add(this.keys);
    effect(() => this.keys.applyTheme(themeColours.value["stage-bottom"]));
  }

  update(): void {
    const shown = new Set<string>();
    const keys: Symbol3[] = [];
    const last = points.value.length - 1;
    points.value.forEach((point, i) => {
      const curve = curveOf(point);
      if (!curve?.positions.length) return;
      const name = pointKey(point);
      shown.add(name);
      const lit = this.lit && pointKey(this.lit.point) === name ? this.lit : null;
      this.trace(name).show(curve, this.spanOf(curve, point, lit), lit !== null, i === last);
      keys.push(...this.keySymbols(curve, lit));
    });
    for (const [name, trace] of this.traces) {
      if (shown.has(name)) continue;
      this.remove(trace);
      trace.free();
      this.traces.delete(name);
    }
    this.keys.draw(keys);
  }

  /** The brightest segment: what the drag changes, or would change. */
  private spanOf(
    curve: MotionCurve,
    point: PointRef,
    lit: Lit | null,
  ): readonly [number, number] | null {
    const now = interaction.value;
    const info = now && previews.value.get(now.id);
    if (now?.point && info?.span && pointKey(now.point) === pointKey(point)) {
      return [info.span[0] * rate.value, info.span[1] * rate.value];
    }
    return lit?.frame != null ? segmentAround(curve, lit.frame, rate.value) : null;
  }

  private keySymbols(curve: MotionCurve, lit: Lit | null): Symbol3[] {
    const frames = curve.positions.length / 3 / curve.perFrame;
    const small = curve.keys.length > 0.4 * frames; // keys at nearly every frame must not hide the line
    return curve.keys.flatMap((time): Symbol3[] => {
      const place = sampleAt(curve, time * rate.value);
      if (!place || Math.abs(time * rate.value - frame.value) > reachOf(curve)) return [];
      const near = lit?.frame != null && Math.abs(lit.frame - time * rate.value) < 0.26;
      return [
        {
          place,
          sign: "ball",
          colour: themeColours.value.key,
          size: near ? 11 : small ? 4.5 : 8.5,
          alpha: 1,
          lit: near,
        },
      ];
    });
  }

  private trace(name: string): Trace {
    const known = this.traces.get(name);
    if (known) return known;
    const made = new Trace();
    this.traces.set(name, made);
    this.add(made);
    return made;
  }
}
