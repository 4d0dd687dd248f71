// How the motion was: streamers of the selected points, striped, under the curves of what is.

import { Group } from "three";
import { rigOf, spotName, type Poses } from "../state/document";
import { frame, points, rate } from "../state/view";
import type { RigInfo, PointRef } from "../wire/messages";
import { looks } from "./looks";
import { blend, placeOf } from "./pose";
import { Ribbon, ribbonMaterial } from "./ribbon";
import { set } from "./shade";
import { pastOf } from "./past";

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

  show(told: Poses, rig: RigInfo, spot: PointRef): void {
    if (told !== this.drawn) this.through(told, rig, spot);
    this.drawn = told;
    const grey = looks.value.before;
    for (const name of ["past", "future", "edited"]) set(this.material, name, grey);
    set(this.material, "rim", looks.value["stage-bottom"]);
    set(this.material, "width", WIDTH);
    set(this.material, "now", frame.value);
    set(this.material, "reach", told.frames.length > LONG ? Math.max(72, REACH * rate.value) : 1e6);
    set(this.material, "dash", rate.value / STRIPES);
  }

  private through(told: Poses, rig: RigInfo, spot: PointRef): void {
    const known = told.frames.flatMap((pose, at) => (pose ? [{ pose, at }] : []));
    const positions = new Float32Array(3 * known.length);
    known.forEach(({ pose }, i) =>
      placeOf(rig, blend(rig, pose, pose, 0), spot)?.toArray(positions, 3 * i),
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
    for (const spot of points.value) {
      const rig = rigOf(spot.character ?? "");
      pastOf(spot.character ?? "").forEach((told, i) => {
        if (!rig || told.frames.length < 2) return;
        const name = `${i} ${spotName(spot)}`;
        shown.add(name);
        for (const each of this.streamersOf(name)) each.show(told, rig, spot);
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
