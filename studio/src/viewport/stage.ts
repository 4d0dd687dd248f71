// The viewport: owns scene, camera and renderer; draws only when something changed.

import { effect } from "@preact/signals-core";
import {
  NeutralToneMapping,
  PCFShadowMap,
  Scene,
  Vector3,
  WebGLRenderer,
  type Texture,
} from "three";
import { composed, wipe } from "../state/composition";
import { sceneInfo } from "../state/document";
import { character, floorOn, lightEffects, type Verb } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import { activeGesture } from "./activeGesture";
import { AxisWidget } from "./axisWidget";
import { Actors } from "./actors";
import { Before } from "./comparisonCurves";
import { ConstraintShapes } from "./constraintShapes";
import { Curves } from "./curves";
import { Backdrop, Floor } from "./floor";
import { GroundBlocks } from "./groundBlocks";
import { Follow } from "./followCamera";
import { Ghosts } from "./ghosts";
import { Gizmo } from "./gizmo";
import { Lights, reflectedRoom } from "./lights";
import { themeColours, watchTheme } from "./theme";
import { Markers } from "./markers";
import { Opening } from "./opening";
import { Orbit } from "./orbit";
import { frameIn } from "./frameBox";
import { PictureFrame } from "./pictureFrame";
import type { SceneView } from "./sceneView";
import { picture } from "./shaders";
import { watched } from "./redrawSignals";
import { DragLines, Label } from "./labels";
import { ToolOverlays } from "./toolOverlays";

export class Stage implements SceneView {
  readonly renderer: WebGLRenderer;
  readonly canvas: HTMLCanvasElement;
  readonly scene = new Scene();
  readonly orbit = new Orbit(() => {
    this.changed();
    this.turned();
  });
  readonly actors = new Actors(() => this.changed());
  readonly curves = new Curves();
  readonly before = new Before();
  readonly markers = new Markers();
  readonly constraintShapes = new ConstraintShapes();
  readonly gizmo = new Gizmo();
  readonly ghosts = new Ghosts();
  readonly overlays: ToolOverlays;
  readonly dragLines: DragLines;
  readonly label: Label; // names what is under the pointer
  readonly amount: Label; // what is left of a drag
  readonly readout: Label; // how far a drag went
  readonly hint: Label;
  readonly opening: Opening;
  private readonly pictureFrame: PictureFrame;
  private readonly follow = new Follow();
  /** Called when the camera moved: what was under the pointer no longer is. */
  turned: () => void = () => {};
  /** How many pictures were drawn so far. */
  drawn = 0;
  /** False to skip drawing, for measuring all the rest. */
  drawing = true;
  /** How far shadows reach around the chosen character, body heights. */
  shadowReach = 1.1;
  /** Films may leave out what lies over the bodies. */
  bare = false;
  private readonly overBodies = [this.curves, this.before, this.markers, this.constraintShapes];
  private axisWidget: AxisWidget | null = null;
  private readonly lights = new Lights();
  private readonly floor = new Floor();
  private readonly ground = new GroundBlocks();
  private readonly backdrop = new Backdrop();
  private room: Texture | null = null;
  private scheduled = false;

  constructor(
    readonly place: HTMLElement,
    alpha = false,
  ) {
    this.renderer = new WebGLRenderer({
      alpha: true, // for images without a background
      antialias: true,
      powerPreference: "high-performance",
    });
    this.renderer.setClearAlpha(alpha ? 0 : 1);
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", "Viewport");
    this.canvas.addEventListener("webglcontextrestored", () => this.changed());
    place.prepend(this.canvas);
    this.pictureFrame = new PictureFrame(place);
    this.overlays = new ToolOverlays(place);
    this.dragLines = new DragLines(place);
    this.label = new Label(place, "label");
    this.amount = new Label(place, "amount");
    this.readout = new Label(place, "readout");
    this.hint = new Label(place, "hint");
    this.opening = new Opening(this, this.hint);
    this.scene.add(
      this.backdrop,
      this.floor,
      this.ground,
      this.lights,
      this.actors,
      this.ghosts,
      this.before,
      this.curves,
      this.constraintShapes,
      this.markers,
      this.overlays,
      this.gizmo,
    );
    this.scene.environmentIntensity = 0.28;
    effect(() => this.setLightEffects(lightEffects.value));
    watchTheme();
    effect(() => this.applyTheme());
    effect(() => this.orbit.through(composed.value?.shot.camera ?? null));
    effect(() => {
      if (sceneInfo.value) void this.actors.load(sceneInfo.value, themeColours.peek());
    });
    effect(() => {
      watched();
      this.changed();
    });
    new ResizeObserver(() => this.resize()).observe(place);
    this.resize();
  }

  /** Shows where the world's axes point. */
  showAxes(): void {
    this.axisWidget = new AxisWidget(this.place, this.orbit);
    this.changed();
  }

  /** Something changed: a picture is drawn at the next chance. */
  changed(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now) => {
      this.scheduled = false;
      activeGesture.peek()?.step();
      if (this.orbit.step(now)) this.changed();
      this.draw();
    });
  }

  /** Shows what the next drag will do. */
  showArmedHint(verb: Verb): void {
    const text = {
      move: "Drag to move",
      turn: "Drag to rotate the joint",
      box: "Drag a box around joints · ⇧ adds",
      time: "Drag sideways to scale time",
      draw: activeTool().strokeMode?.hint ?? "Draw in the viewport",
    }[verb];
    this.hint.showAbove(text, this.orbit.size.x / 2, 52);
  }

  draw(): void {
    const scale = sceneInfo.peek()?.scale ?? 1;
    this.orbit.scale = scale;
    this.actors.pose();
    this.opening.step();
    this.follow.step(this, this.opening.framed, this.opening.camera);
    for (const each of this.overBodies) each.visible = true;
    this.ghosts.update(this, scale);
    this.before.update();
    this.curves.update(this);
    this.constraintShapes.update(this);
    this.markers.update(this);
    this.overlays.update(this);
    this.gizmo.update(this);
    this.axisWidget?.update();
    activeGesture.peek()?.draw?.();
    if (this.bare) for (const each of this.overBodies) each.visible = false;
    this.floor.visible = floorOn.peek();
    this.ground.update();
    this.floor.follow(this.orbit.target, this.orbit.distance, scale, this.follow.drift);
    const middle = this.middle();
    const reach = this.shadowReach * scale + 0.3 * middle.y;
    this.lights.follow(this.orbit.camera, middle, reach, this.opening);
    this.pictureFrame.update(this.orbit);
    if (this.drawing) this.render();
    this.drawn++;
  }

  /** The picture; where it is wiped, its left as it was before the composition. */
  private render(): void {
    const { renderer, scene, orbit } = this;
    const shot = composed.peek()?.shot.camera;
    if (wipe.peek() === null || !shot) return renderer.render(scene, orbit.camera);
    const box = frameIn(orbit.size, shot.width / shot.height);
    const at = box.x + wipe.peek()! * box.width;
    renderer.setScissorTest(true);
    for (const [aside, from, to] of [
      [true, 0, at],
      [false, at, orbit.size.x],
    ] as const) {
      this.actors.setCompositionAside(aside);
      renderer.setScissor(from, 0, to - from, orbit.size.y);
      renderer.render(scene, orbit.camera);
    }
    renderer.setScissorTest(false);
  }

  /** Leaves out backdrop and grid: bodies and their shadows lie over whatever is behind the canvas. */
  compositeOver(): void {
    this.showBackground("transparent");
    this.changed();
  }

  showBackground(wanted: "viewport" | "plain" | "transparent"): void {
    this.backdrop.visible = wanted !== "transparent";
    this.floor.grid.visible = wanted === "viewport";
    this.renderer.setClearAlpha(wanted === "transparent" ? 0 : 1);
  }

  /** Where the chosen character is, for light and shadow. */
  private middle(): Vector3 {
    const placed = (this.actors.find(character.peek()) ?? this.actors.all[0])?.placed;
    const found = placed
      ? new Vector3(placed[12], placed[13], placed[14])
      : this.orbit.target.clone();
    found.y = Math.max(found.y * 0.5, 0);
    return found;
  }

  /** Making the room takes seconds without a graphics card, so it is made where it is wanted only. */
  private setLightEffects(on: boolean): void {
    this.lights.castShadows(on);
    if (on) this.room ??= reflectedRoom(this.renderer);
    this.scene.environment = on ? this.room : null;
  }

  private applyTheme(): void {
    const now = themeColours.value;
    this.backdrop.applyTheme(now);
    this.floor.applyTheme(now);
    this.ground.applyTheme(now);
    this.lights.applyTheme(now);
    this.actors.applyTheme(now);
    this.changed();
  }

  resize(
    width = this.place.clientWidth,
    height = this.place.clientHeight,
    ratio = Math.min(devicePixelRatio, 2),
  ): void {
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    picture.size.value.set(width * ratio, height * ratio);
    picture.ratio.value = ratio;
    this.orbit.resize(width, height);
    this.draw(); // at once: a resized canvas is empty
  }
}

export let stage: Stage | null = null;

/** Builds the viewport, with `alpha` over what is behind it; null, and a message in its place, where the browser cannot draw in 3D. */
export function buildStage(place: HTMLElement, alpha = false): Stage | null {
  try {
    stage = new Stage(place, alpha);
  } catch {
    const message = document.createElement("p");
    message.className = "word";
    message.textContent = "This browser cannot draw in 3D: WebGL 2 is switched off or missing.";
    place.append(message);
  }
  return stage;
}
