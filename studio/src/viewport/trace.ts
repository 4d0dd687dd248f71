// One motion curve as it is drawn: line, ticks and arrows.

import type { Vector2 } from "three";
import { Color, Group, Quaternion, Vector3, type ShaderMaterial } from "three";
import type { MotionCurve } from "../state/document";
import { frame, rate, speedColours } from "../state/view";
import type { PointRef } from "../wire/messages";
import { AXIS_COLOURS, themeColours } from "./theme";
import { Ribbon, ribbonMaterial } from "./ribbon";
import { loopOf, periodOf } from "./loopCurve";
import { partAround, reachOf, stillFits, type Part } from "./motionCurve";
import { ARROW_PIXELS, type FrameArrow } from "./orientationArrows";
import { set } from "./shaders";
import { smoothed, type Drawn } from "./resample";
import { ARROW, arrowMaterial, BAR, Flock, tickMaterial } from "./ticks";

/** What the pointer is over, as far as curves care. */
export interface Lit {
  point: PointRef;
  frame: number | null; // null lights the whole curve
  tick?: boolean; // the tick of that frame, which can be dragged
  axis?: number; // the arrow of that frame
}

export class Trace extends Group {
  private readonly line = new Ribbon(ribbonMaterial(false));
  private readonly hiddenLine = new Ribbon(ribbonMaterial(true), this.line.geometry);
  private readonly highlight = new Ribbon(ribbonMaterial(false), this.line.geometry); // over other branches
  private readonly ticks = new Flock(tickMaterial(false), BAR.corners, BAR.triangles);
  private readonly hiddenTicks = new Flock(tickMaterial(true), [], [], this.ticks.geometry);
  private readonly axes = new Flock(arrowMaterial(20), ARROW.corners, ARROW.triangles);
  private readonly arrows = new Flock(arrowMaterial(ARROW_PIXELS), ARROW.corners, ARROW.triangles);
  private drawn: MotionCurve | null = null;
  private part: Part | null = null;
  private withAxes: MotionCurve | null = null;
  private closes = 0; // frames

  constructor() {
    super();
    const lines = [this.hiddenLine, this.hiddenTicks, this.line, this.highlight];
    const parts = [...lines, this.ticks, this.axes, this.arrows];
    parts.forEach((each, i) => {
      each.renderOrder = 10 + i;
      this.add(each);
    });
    set(this.highlight.material, "only", 1);
  }

  show(
    curve: MotionCurve,
    span: readonly [number, number] | null,
    lit: boolean,
    acts: boolean,
  ): void {
    const period = periodOf(curve);
    const fits = this.part && stillFits(this.part, curve, frame.value) && period === this.closes;
    if (curve !== this.drawn || !fits) this.draw(curve, period);
    const now = themeColours.value;
    for (const material of this.materials()) {
      set(material, "past", now.past);
      set(material, "future", now.future);
      set(material, "edited", now.edited);
      set(material, "rim", now["stage-bottom"]);
      set(material, "now", frame.value);
      set(material, "reach", reachOf(curve));
      set(material, "period", loopOf(curve));
      set(material, "lit", lit ? 1 : 0);
      set(material, "bySpeed", speedColours.value ? 1 : 0);
      (material.uniforms["span"]!.value as Vector2).set(...(span ?? ([-2, -1] as const)));
    }
    const width = (acts ? 2.6 : 1.8) + (lit ? 1 : 0);
    set(this.line.material, "width", width);
    set(this.hiddenLine.material, "width", width);
    set(this.highlight.material, "width", width);
    this.highlight.visible = span !== null;
  }

  private materials(): ShaderMaterial[] {
    const lines = [this.line, this.hiddenLine, this.highlight];
    return [...lines, this.ticks, this.hiddenTicks].map((each) => each.material);
  }

  private draw(curve: MotionCurve, period: number): void {
    this.drawn = curve;
    this.closes = period;
    this.part = partAround(curve, frame.value, rate.value);
    const { curve: seen, first } = this.part;
    const { positions, at, speeds } = smoothed(seen, rate.value);
    const whole = seen === curve && period > (at.at(-1) ?? 0) + 1e-3;
    const line = whole ? closed({ positions, at, speeds }, period) : { positions, at, speeds };
    this.line.draw(
      line.positions,
      line.at.map((each) => each + first),
      line.speeds,
    );
    this.drawTicks(
      seen,
      first,
      speeds,
      (at.length - 1) / Math.max(seen.positions.length / 3 - 1, 1),
    );
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

  /** Arrows that can be dragged; brighter where the pointer is. */
  showArrows(arrows: readonly FrameArrow[], lit: Lit | null): void {
    this.arrows.visible = arrows.length > 0;
    const tint = ({ frame, axis }: FrameArrow) => {
      const on = lit?.axis === axis && lit.frame === frame;
      return new Color(AXIS_COLOURS[axis]!).lerp(new Color("#ffffff"), on ? 0.6 : 0).toArray();
    };
    const all = (of: (each: FrameArrow) => number[]) => new Float32Array(arrows.flatMap(of));
    this.arrows.draw({
      centre: { of: all((each) => each.centre.toArray()), width: 3 },
      way: { of: all((each) => each.way.toArray()), width: 3 },
      tint: { of: all(tint), width: 3 },
    });
  }

  /** How the point is turned, at every second frame: its own x, y and z; null hides them. */
  showAxes(curve: MotionCurve | null): void {
    this.axes.visible = curve !== null;
    if (!curve || curve === this.withAxes) return;
    this.withAxes = curve;
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
    this.axes.draw({
      centre: { of: new Float32Array(centres), width: 3 },
      way: { of: new Float32Array(ways), width: 3 },
      tint: { of: new Float32Array(tints), width: 3 },
    });
  }

  free(): void {
    this.line.geometry.dispose();
    this.ticks.geometry.dispose();
    this.arrows.geometry.dispose();
    this.axes.geometry.dispose();
    const others = [this.arrows.material, this.axes.material];
    for (const material of [...this.materials(), ...others]) material.dispose();
  }
}

/** A line with its first place again at its end. */
function closed({ positions, at, speeds }: Drawn, period: number): Drawn {
  const more = (values: Float32Array, last: readonly number[]) => {
    const longer = new Float32Array(values.length + last.length);
    longer.set(values);
    longer.set(last, values.length);
    return longer;
  };
  return {
    positions: more(positions, [...positions.subarray(0, 3)]),
    at: more(at, [period]),
    speeds: more(speeds, [speeds[0] ?? 0]),
  };
}
