// Draws constraints: lines, outlines, handles and labels.

import { effect } from "@preact/signals-core";
import type { Color } from "three";
import { Group, Vector3 } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { constraintDrawings, isFine, type ConstraintDrawing } from "./constraintDrawing";
import { project } from "./projection";
import { themeColours } from "./theme";
import type { Pick } from "./pick";
import type { SceneView } from "./sceneView";
import { Symbols, type Symbol3 } from "./symbols";
import { Label } from "./labels";

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

  show(
    constraintShapes: readonly ConstraintDrawing[],
    colourOf: (drawing: ConstraintDrawing) => Color,
  ): void {
    const places = constraintShapes.flatMap((drawing) => drawing.segments.flat());
    this.visible = places.length > 0;
    if (!places.length) return;
    this.geometry.dispose();
    this.geometry = new LineSegmentsGeometry();
    this.geometry.setPositions(places);
    this.geometry.setColors(
      constraintShapes.flatMap((drawing) =>
        drawing.segments.flatMap(() => colourOf(drawing).toArray()),
      ),
    );
  }
}

export class ConstraintShapes extends Group {
  hovered: Pick | null = null;
  private readonly strong = new Lines(1.8, 0.95);
  private readonly faint = new Lines(1.3, 0.4);
  private readonly symbols = new Symbols(25);
  private readonly labels: Label[] = [];

  constructor() {
    super();
    this.add(this.faint, this.strong, this.symbols);
    effect(() => this.symbols.applyTheme(themeColours.value["stage-bottom"]));
  }

  update(stage: SceneView): void {
    const all = constraintDrawings(stage);
    const under = this.hovered?.kind === "constraint" ? this.hovered : null;
    const lit = (drawing: ConstraintDrawing) =>
      drawing.chosen || drawing.info.index === under?.info.index;
    const bright = themeColours.value.constraint.clone().lerp(themeColours.value.ink, 0.45);
    const colourOf = (drawing: ConstraintDrawing) =>
      lit(drawing) ? bright : themeColours.value.constraint;
    this.strong.show(
      all.filter((drawing) => drawing.holds || lit(drawing)),
      colourOf,
    );
    this.faint.show(
      all.filter((drawing) => !drawing.holds && !lit(drawing)),
      colourOf,
    );
    this.symbols.draw(
      all.flatMap((drawing) =>
        this.signs(
          drawing,
          lit(drawing),
          under?.info.index === drawing.info.index ? under.handle : "",
        ),
      ),
    );
    this.show(stage, all);
  }

  private signs(drawing: ConstraintDrawing, lit: boolean, hoveredGrip: string): Symbol3[] {
    const look = { colour: themeColours.value.constraint, alpha: drawing.holds || lit ? 1 : 0.4 };
    const handles = drawing.handles.filter((handle) => drawing.chosen || !isFine(handle));
    return [
      ...handles.map(({ id, place }): Symbol3 => ({
        ...look,
        place: new Vector3(...place),
        sign: "diamond",
        size: isFine({ id }) ? SIZE - 2 : SIZE,
        lit: id === hoveredGrip,
      })),
      ...drawing.dots.map((place): Symbol3 => ({
        ...look,
        place: new Vector3(...place),
        sign: "ring",
        size: SIZE,
        lit,
      })),
    ];
  }

  private show(stage: SceneView, all: readonly ConstraintDrawing[]): void {
    const texts = all.flatMap((drawing) =>
      drawing.label && (drawing.holds || drawing.chosen) ? [drawing.label] : [],
    );
    while (this.labels.length < texts.length)
      this.labels.push(new Label(stage.place, "constraint"));
    this.labels.forEach((label, i) => {
      const text = texts[i];
      const seen = text && project(stage.orbit, new Vector3(...text.at));
      if (text && seen) label.show(text.text, seen.x, seen.y, 8, -22);
      else label.hide();
    });
  }
}
