// Draws constraints in their places: lines, outlines, grips and labels.

import { effect } from "@preact/signals-core";
import type { Color } from "three";
import { Group, Vector3 } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { boundsNow, isFine, type Bound } from "./bound";
import { project } from "./eye";
import { looks } from "./looks";
import type { Pick } from "./picking";
import type { Stage } from "./stage";
import { Symbols, type Symbol3 } from "./symbols";
import { Word } from "./words";

const SIZE = 10; // px

/** Thick lines of one strength. */
class Lines extends LineSegments2 {
  constructor(width: number, opacity: number) {
    const look = {
      linewidth: width,
      transparent: true,
      opacity,
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
    };
    super(new LineSegmentsGeometry(), new LineMaterial({ ...look, vertexColors: true }));
    this.frustumCulled = false;
    this.renderOrder = 20;
  }

  show(bounds: readonly Bound[], colourOf: (bound: Bound) => Color): void {
    const places = bounds.flatMap((bound) => bound.segments.flat());
    this.visible = places.length > 0;
    if (!places.length) return;
    this.geometry.dispose();
    this.geometry = new LineSegmentsGeometry();
    this.geometry.setPositions(places);
    this.geometry.setColors(
      bounds.flatMap((bound) => bound.segments.flatMap(() => colourOf(bound).toArray())),
    );
  }
}

export class Bounds extends Group {
  hovered: Pick | null = null;
  private readonly strong = new Lines(1.8, 0.95);
  private readonly faint = new Lines(1.3, 0.4);
  private readonly symbols = new Symbols(25);
  private readonly words: Word[] = [];

  constructor() {
    super();
    this.add(this.faint, this.strong, this.symbols);
    effect(() => this.symbols.wear(looks.value["stage-bottom"]));
  }

  update(stage: Stage): void {
    const all = boundsNow(stage);
    const under = this.hovered?.kind === "bound" ? this.hovered : null;
    const lit = (bound: Bound) => bound.chosen || bound.told.index === under?.told.index;
    const bright = looks.value.bound.clone().lerp(looks.value.ink, 0.45);
    const colourOf = (bound: Bound) => (lit(bound) ? bright : looks.value.bound);
    this.strong.show(
      all.filter((bound) => bound.holds || lit(bound)),
      colourOf,
    );
    this.faint.show(
      all.filter((bound) => !bound.holds && !lit(bound)),
      colourOf,
    );
    this.symbols.draw(
      all.flatMap((bound) =>
        this.signs(bound, lit(bound), under?.told.index === bound.told.index ? under.grip : ""),
      ),
    );
    this.say(stage, all);
  }

  private signs(bound: Bound, lit: boolean, held: string): Symbol3[] {
    const look = { colour: looks.value.bound, alpha: bound.holds || lit ? 1 : 0.4 };
    const grips = bound.grips.filter((grip) => bound.chosen || !isFine(grip));
    return [
      ...grips.map(({ id, place }): Symbol3 => ({
        ...look,
        place: new Vector3(...place),
        sign: "diamond",
        size: isFine({ id }) ? SIZE - 2 : SIZE,
        lit: id === held,
      })),
      ...bound.dots.map((place): Symbol3 => ({
        ...look,
        place: new Vector3(...place),
        sign: "ring",
        size: SIZE,
        lit,
      })),
    ];
  }

  private say(stage: Stage, all: readonly Bound[]): void {
    const said = all.flatMap((bound) =>
      bound.label && (bound.holds || bound.chosen) ? [bound.label] : [],
    );
    while (this.words.length < said.length) this.words.push(new Word(stage.place, "bound"));
    this.words.forEach((word, i) => {
      const label = said[i];
      const seen = label && project(stage.orbit, new Vector3(...label.at));
      if (label && seen) word.say(label.text, seen.x, seen.y, 8, -22);
      else word.hide();
    });
  }
}
