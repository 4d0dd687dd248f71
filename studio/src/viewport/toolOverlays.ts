// What tools show during an interaction: curves, markers, handles, strokes and text.

import { effect } from "@preact/signals-core";
import { Group, Vector3 } from "three";
import { OVERLAY_LOOKS, type OverlayStyle } from "../controls/overlayStyle";
import { previews } from "../state/document";
import { interaction } from "../state/interaction";
import { draggableOverlays, overlaysNow } from "../state/restOverlays";
import { frame, rate } from "../state/view";
import type { CurveOverlay, HandleOverlay, Overlay, TextOverlay, Vec2 } from "../wire/messages";
import { Label } from "./labels";
import type { Pick } from "./pick";
import { nearestOn, project } from "./projection";
import { Ribbon, ribbonMaterial } from "./ribbon";
import type { SceneView } from "./sceneView";
import { set } from "./shaders";
import { StrokeLines } from "./strokeLines";
import { Symbols, type Symbol3 } from "./symbols";
import { themeColours } from "./theme";
import { ARROW, arrowMaterial, Flock } from "./ticks";

const ARROW_LENGTH = 46; // px
const STRIPE = 0.05; // of the scene's size, of a reference curve
const SAME = 2; // px: handles this near to each other lie over each other
const HANDLE_SIGNS = { dot: "ring", arrow: "dot", tick: "tick" } as const;

type Of<Shape extends Overlay["shape"]> = Extract<Overlay, { shape: Shape }>;

function only<Shape extends Overlay["shape"]>(all: readonly Overlay[], shape: Shape): Of<Shape>[] {
  return all.filter((each): each is Of<Shape> => each.shape === shape);
}

/** The handles that the preview of an interaction shows. */
export function handlesOf(id: number): HandleOverlay[] {
  return only(previews.peek().get(id)?.overlays ?? [], "handle");
}

/** The handles that can be dragged now: of this window's interaction, else those drawn at rest. */
export function draggableHandles(): HandleOverlay[] {
  return only(draggableOverlays(), "handle");
}

export class ToolOverlays extends Group {
  /** The name of the handle under the pointer. */
  hovered: string | null = null;
  /** The stroke drawn so far, px; shown until the tool shows one of its own. */
  drawnStroke: readonly Vec2[] = [];
  private readonly symbols = new Symbols(26);
  private readonly arrows = new Flock(arrowMaterial(ARROW_LENGTH), ARROW.corners, ARROW.triangles);
  private readonly curves: OverlayCurve[] = [];
  private readonly strokes: StrokeLines;
  private readonly labels: OverlayLabel[] = [];

  constructor(private readonly place: HTMLElement) {
    super();
    this.strokes = new StrokeLines(place);
    this.arrows.material.depthTest = false;
    this.arrows.renderOrder = 26;
    this.add(this.symbols, this.arrows);
    effect(() => this.symbols.applyTheme(themeColours.value["stage-bottom"]));
  }

  update(stage: SceneView): void {
    const own = previews.value.get(interaction.value?.id ?? -1)?.overlays ?? [];
    const all = overlaysNow();
    this.drawCurves(only(all, "curve"), stage.orbit.scale);
    this.drawSymbols(all);
    this.drawArrows(only(all, "handle"));
    this.drawStrokes(only(own, "stroke")); // those of others are px of their views
    this.drawTexts(stage, only(all, "text"));
  }

  private drawCurves(overlays: readonly CurveOverlay[], scale: number): void {
    while (this.curves.length < overlays.length) {
      const made = new OverlayCurve();
      this.curves.push(made);
      this.add(made);
    }
    this.curves.forEach((each, i) => each.show(overlays[i] ?? null, scale));
  }

  private drawSymbols(overlays: readonly Overlay[]): void {
    const dots = only(overlays, "markers").flatMap(({ positions, style }) =>
      positions.map((place): Symbol3 => ({ ...look(style, place), sign: "dot", size: 8 })),
    );
    const handles = only(overlays, "handle").map(({ name, position, symbol, style }): Symbol3 => {
      const lit = name === this.hovered;
      const size = lit ? 17 : 14;
      return { ...look(style, position), sign: HANDLE_SIGNS[symbol], size, alpha: 1, lit };
    });
    this.symbols.draw([...dots, ...handles]);
  }

  private drawArrows(handles: readonly HandleOverlay[]): void {
    const arrows = handles.filter(({ direction }) => direction !== null);
    const all = (of: (each: HandleOverlay) => number[]) => new Float32Array(arrows.flatMap(of));
    this.arrows.visible = arrows.length > 0;
    this.arrows.draw({
      centre: { of: all((each) => each.position), width: 3 },
      way: { of: all((each) => new Vector3(...each.direction!).normalize().toArray()), width: 3 },
      tint: { of: all((each) => colourOf(each.style).toArray()), width: 3 },
    });
  }

  private drawStrokes(overlays: readonly Of<"stroke">[]): void {
    if (overlays.length) this.strokes.show(overlays);
    else this.strokes.show([{ points: this.drawnStroke, style: "edit" }]);
  }

  private drawTexts(stage: SceneView, texts: readonly TextOverlay[]): void {
    while (this.labels.length < texts.length) this.labels.push(new OverlayLabel(this.place));
    this.labels.forEach((each, i) => each.show(stage, texts[i] ?? null));
  }
}

function colourOf(style: OverlayStyle) {
  return themeColours.value[OVERLAY_LOOKS[style].colour];
}

function look(style: OverlayStyle, place: readonly [number, number, number]) {
  const { opacity } = OVERLAY_LOOKS[style];
  return { place: new Vector3(...place), colour: colourOf(style), alpha: opacity, lit: false };
}

/** A curve through positions, faint where something is in front of it; striped for reference. */
class OverlayCurve extends Group {
  private readonly line = new Ribbon(ribbonMaterial(false));
  private readonly hiddenLine = new Ribbon(ribbonMaterial(true), this.line.geometry);
  private drawn: CurveOverlay | null = null;

  constructor() {
    super();
    this.add(this.hiddenLine, this.line);
    for (const each of [this.hiddenLine, this.line]) each.renderOrder = 9; // under ticks and keys of curves
  }

  show(overlay: CurveOverlay | null, scale: number): void {
    this.visible = overlay !== null && overlay.positions.length > 1;
    if (!overlay || !this.visible) return;
    if (overlay !== this.drawn) this.through(overlay);
    const { opacity } = OVERLAY_LOOKS[overlay.style];
    for (const { material } of [this.line, this.hiddenLine]) {
      for (const name of ["past", "future", "edited"]) set(material, name, colourOf(overlay.style));
      set(material, "rim", themeColours.value["stage-bottom"]);
      set(material, "lit", 1);
      set(material, "strength", material === this.line.material ? opacity : 0.32 * opacity);
      set(material, "dash", overlay.style === "reference" ? STRIPE * scale : 0);
    }
  }

  private through(overlay: CurveOverlay): void {
    this.drawn = overlay;
    const { positions, closed } = overlay;
    const places = closed ? [...positions, positions[0]!] : positions;
    const along = new Float32Array(places.length); // m from the first, for stripes
    for (let i = 1; i < places.length; i++) {
      const step = new Vector3(...places[i]!).distanceTo(new Vector3(...places[i - 1]!));
      along[i] = along[i - 1]! + step;
    }
    this.line.draw(new Float32Array(places.flat()), along, new Float32Array(places.length));
  }
}

class OverlayLabel {
  private readonly label: Label;

  constructor(place: HTMLElement) {
    this.label = new Label(place, "overlay");
  }

  show(stage: SceneView, overlay: TextOverlay | null): void {
    const seen = overlay && project(stage.orbit, new Vector3(...overlay.position));
    if (!overlay || !seen) return this.label.hide();
    this.label.colour(`var(--${OVERLAY_LOOKS[overlay.style].colour})`);
    this.label.show(overlay.text, seen.x, seen.y, 10, -8);
  }
}

/** The handle that is nearest to a place; of several at one place, the one nearest in time. */
export function handleAt(
  stage: SceneView,
  x: number,
  y: number,
  near: number,
): { pick: Extract<Pick, { kind: "handle" }>; distance: number } | null {
  let best: { pick: Extract<Pick, { kind: "handle" }>; distance: number } | null = null;
  for (const info of nearestInTimeFirst(draggableHandles())) {
    const { name, position, direction } = info;
    const world = new Vector3(...position);
    const length = stage.orbit.worldPerPixel(world) * ARROW_LENGTH;
    const tip = direction && new Vector3(...direction).setLength(length).add(world);
    const line = [world, ...(tip ? [tip] : [])].map((place) => project(stage.orbit, place));
    const distance = nearestOn(line, x, y)?.distance ?? Infinity;
    if (distance <= near && (!best || distance < best.distance - SAME))
      best = { pick: { kind: "handle", name, world, info }, distance };
  }
  return best;
}

function nearestInTimeFirst(handles: readonly HandleOverlay[]): HandleOverlay[] {
  const now = frame.peek() / rate.peek();
  const away = ({ time }: HandleOverlay) => (time === null ? 0 : Math.abs(time - now));
  return [...handles].sort((one, other) => away(one) - away(other));
}
