// The motion curves of the selected points: line, ticks, keys and, if switched on, arrows.

import { effect } from "@preact/signals-core";
import { Group } from "three";
import { previews, pointKey, type MotionCurve } from "../state/document";
import { interaction } from "../state/interaction";
import { frame, options, points, rate, tool } from "../state/view";
import { toolOf } from "../tools/shared/registry";
import type { PointRef } from "../wire/messages";
import { curveOf, reachOf, sampleAt, segmentAround } from "./motionCurve";
import { arrowsOn, hasArrows } from "./orientationArrows";
import type { SceneView } from "./sceneView";
import { Symbols, type Symbol3 } from "./symbols";
import { themeColours } from "./theme";
import { Trace, type Lit } from "./trace";

/** A frame that is dragged in time, marked on the curve. */
export interface HeldTick {
  point: PointRef;
  frame: number;
}

export class Curves extends Group {
  private readonly traces = new Map<string, Trace>();
  private readonly keys = new Symbols(16);
  lit: Lit | null = null;
  /** Frames that are dragged in time. */
  held: readonly HeldTick[] = [];

  constructor() {
    super();
    this.add(this.keys);
    effect(() => this.keys.applyTheme(themeColours.value["stage-bottom"]));
  }

  update(stage: SceneView): void {
    const shown = new Set<string>();
    const keys: Symbol3[] = [];
    // a tool that draws at rest shows the paths itself
    const drawn = toolOf(tool.value).drawsAtRest ? [] : points.value;
    const last = drawn.length - 1;
    drawn.forEach((point, i) => {
      const curve = curveOf(point);
      if (!curve?.positions.length) return;
      const name = pointKey(point);
      shown.add(name);
      const lit = this.lit && pointKey(this.lit.point) === name ? this.lit : null;
      const trace = this.trace(name);
      trace.show(curve, this.spanOf(curve, point, lit), lit !== null, i === last);
      const drags = toolOf(tool.value).dragsArrows === true;
      trace.showAxes(!drags && hasArrows(stage, curve) ? curve : null);
      trace.showArrows(
        drags && i === last && hasArrows(stage, curve) ? arrowsOn(stage, curve) : [],
        lit,
      );
      keys.push(...this.keySymbols(curve, lit), ...this.tickSymbols(curve, name, lit));
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
    const around = affectedFrames(now?.tool ?? tool.value);
    const held =
      now?.point && pointKey(now.point) === pointKey(point) ? now.time * rate.value : null;
    const at = now ? held : (lit?.frame ?? null);
    if (around !== null) return at === null ? null : [at - around, at + around];
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

  /** The tick under the pointer, and those that are dragged. */
  private tickSymbols(curve: MotionCurve, name: string, lit: Lit | null): Symbol3[] {
    const held = this.held.filter((each) => pointKey(each.point) === name);
    const marks = [
      ...held.map((each) => ({ frame: each.frame, size: 13, lit: true })),
      ...(lit?.tick && lit.frame !== null ? [{ frame: lit.frame, size: 11, lit: true }] : []),
    ];
    const colour = themeColours.value.edited;
    return marks.flatMap(({ frame: at, ...look }): Symbol3[] => {
      const place = sampleAt(curve, at);
      return place ? [{ place, sign: "diamond", colour, alpha: 1, ...look }] : [];
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

/** Frames on either side that follow a drag, for a tool that says so. */
function affectedFrames(name: string): number | null {
  const option = toolOf(name).affectedRange;
  return option ? Number(options.value[name]?.[option] ?? 0) * rate.value : null;
}
