// The viewport: owns the picture, draws it only when something changed.

import { effect } from "@preact/signals-core";
import { NeutralToneMapping, PCFShadowMap, Scene, Vector3, WebGLRenderer } from "three";
import { cast, story } from "../state/document";
import { floorOn, frame } from "../state/view";
import { Actors } from "./actors";
import { Curves } from "./curves";
import { Backdrop, Floor } from "./floor";
import { Lights, lightRoom } from "./lights";
import { looks, watchLooks } from "./looks";
import { Orbit } from "./orbit";
import { picture } from "./shade";

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly canvas: HTMLCanvasElement;
  readonly scene = new Scene();
  readonly orbit = new Orbit(() => this.changed());
  readonly actors = new Actors(() => this.changed());
  readonly curves = new Curves();
  /** How many pictures were drawn so far. */
  drawn = 0;
  /** Does what must be done before each picture. */
  readonly before: (() => void)[] = [];
  private readonly lights = new Lights();
  private readonly floor = new Floor();
  private readonly backdrop = new Backdrop();
  private asked = false;

  constructor(readonly place: HTMLElement) {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "Viewport");
    place.prepend(this.canvas);
    this.scene.add(this.backdrop, this.floor, this.lights, this.actors, this.curves);
    lightRoom(this.renderer, this.scene);
    watchLooks();
    effect(() => this.wear());
    effect(() => {
      if (cast.value) void this.actors.load(cast.value, looks.peek());
    });
    new ResizeObserver(() => this.resize()).observe(place);
    this.resize();
  }

  /** Something changed: a picture is drawn at the next chance. */
  changed(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => {
      this.asked = false;
      if (this.orbit.step(now)) this.changed();
      this.draw();
    });
  }

  draw(): void {
    const scale = cast.peek()?.scale ?? 1;
    this.orbit.scale = scale;
    this.actors.pose();
    for (const prepare of this.before) prepare();
    this.floor.visible = floorOn.peek();
    this.floor.follow(this.orbit.target, this.orbit.distance, scale);
    const middle = this.middle();
    this.lights.follow(this.orbit.camera, middle, 1.1 * scale + 0.15 * middle.y);
    this.renderer.render(this.scene, this.orbit.camera);
    this.drawn++;
  }

  /** Where the first character is, for light and shadow. */
  private middle(): Vector3 {
    const placed = this.actors.all.find((actor) => actor.placed)?.placed;
    const found = placed ? new Vector3(placed[12], placed[13], placed[14]) : this.orbit.target.clone();
    found.y = Math.max(found.y * 0.5, 0);
    return found;
  }

  private wear(): void {
    const now = looks.value;
    this.backdrop.wear(now);
    this.floor.wear(now);
    this.lights.wear(now);
    this.actors.wear(now);
    this.changed();
  }

  resize(width = this.place.clientWidth, height = this.place.clientHeight, ratio = Math.min(devicePixelRatio, 2)): void {
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    picture.size.value.set(width * ratio, height * ratio);
    picture.ratio.value = ratio;
    this.orbit.resize(width, height);
    this.draw(); // at once: a resized canvas is empty
  }
}

export function buildStage(place: HTMLElement): void {
  const stage = new Stage(place);
  effect(() => {
    frame.value;
    story.value;
    stage.changed();
  });
}
