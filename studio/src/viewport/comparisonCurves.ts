// Motion curves for comparison, striped, under the current ones.

import { Group } from "three";
import { rigOf, pointKey, type Poses } from "../state/document";
import { frame, points, rate } from "../state/view";
import type { RigInfo, PointRef } from "../wire/messages";
import { themeColours } from "./theme";
import { blend, placeOf } from "./pose";
import { Ribbon, ribbonMaterial } from "./ribbon";
import { set } from "./shaders";
import { comparedPoses } from "./comparison";

const STRIPES = 16; // in a second
const WIDTH = 2.2; // px
const REACH = 0.6; // s of a long take that is drawn to both sides
const LONG = 150; // frames

class Streamer extends Ribbon {
  private drawn: Poses | null = null;

  constructor(hidden: boolean) {
    super(ribbonMaterial(hidden));
    this.renderOrder = 8;
  }

  show(info: Poses, rig: RigInfo, point: PointRef): void {
    if (info !== this.drawn) this.through(info, rig, point);
    this.drawn = info;
    const grey = themeColours.value.before;
    for (const name of ["past", "future", "edited"]) set(this.material, name, grey);
    set(this.material, "rim", themeColours.value["stage-bottom"]);
    set(this.material, "width", WIDTH);
    set(this.material, "now", frame.value);
    set(this.material, "reach", info.frames.length > LONG ? Math.max(72, REACH * rate.value) : 1e6);
    set(this.material, "dash", rate.value / STRIPES);
  }

  private through(info: Poses, rig: RigInfo, point: PointRef): void {
    const known = info.frames.flatMap((pose, at) => (pose ? [{ pose, at }] : []));
    const positions = new Float32Array(3 * known.length);
    known.forEach(({ pose }, i) =>
      placeOf(rig, blend(rig, pose, pose, 0), point)?.toArray(positions, 3 * i),
    );
    this.draw(
      positions,
      Float32Array.from(known, ({ at }) => at),
      new Float32Array(known.length),
    );
  }

  free(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}

export class Before extends Group {
  private readonly streamers = new Map<string, Streamer[]>();

  update(): void {
    const shown = new Set<string>();
    for (const point of points.value) {
      const rig = rigOf(point.character ?? "");
      comparedPoses(point.character ?? "").forEach((info, i) => {
        if (!rig || info.frames.length < 2) return;
        const name = `${i} ${pointKey(point)}`;
        shown.add(name);
        for (const each of this.streamersOf(name)) each.show(info, rig, point);
      });
    }
    for (const [name, own] of this.streamers) {
      if (shown.has(name)) continue;
      for (const each of own) {
        this.remove(each);
        each.free();
      }
      this.streamers.delete(name);
    }
  }

  private streamersOf(name: string): Streamer[] {
    const known = this.streamers.get(name);
    if (known) return known;
    const made = [new Streamer(false), new Streamer(true)];
    this.streamers.set(name, made);
    this.add(...made);
    return made;
  }
}
