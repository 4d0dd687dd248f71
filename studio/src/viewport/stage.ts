// The viewport: owns the picture, draws it only when something changed.

import { effect } from "@preact/signals-core";
import {
  NeutralToneMapping,
  PCFShadowMap,
  Scene,
  Vector3,
  WebGLRenderer,
  type Texture,
} from "three";
import { dragging } from "../gestures/drag";
import { Pointer } from "../gestures/pointer";
import { addVerbs } from "../gestures/verbs";
import { offerHandle } from "../handle";
import { cast } from "../state/document";
import { character, floorOn, lightEffects, type Verb } from "../state/view";
import { Actors } from "./actors";
import { Before } from "./before";
import { Bounds } from "./bounds";
import { Curves } from "./curves";
import { Backdrop, Floor } from "./floor";
import { Follow } from "./follow";
import { Ghosts } from "./ghosts";
import { Gizmo } from "./gizmo";
import { Lights, reflectedRoom } from "./lights";
import { looks, watchLooks } from "./looks";
import { Marks } from "./marks";
import { Opening } from "./opening";
import { Orbit } from "./orbit";
import { picture } from "./shade";
import { watched } from "./watch";
import { Strings, Word } from "./words";

export class Stage {
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
  readonly marks = new Marks();
  readonly bounds = new Bounds();
  readonly gizmo = new Gizmo();
  readonly ghosts = new Ghosts();
  readonly strings: Strings;
  readonly label: Word; // names what is under the pointer
  readonly amount: Word; // what is left of a drag
  readonly readout: Word; // how far a drag went
  readonly hint: Word;
  readonly opening: Opening;
  private readonly follow = new Follow();
  /** Told when the camera moved: what was under the pointer no longer is. */
  turned: () => void = () => {};
  /** How many pictures were drawn so far. */
  drawn = 0;
  /** False to skip drawing, for measuring all the rest. */
  drawing = true;
  private readonly lights = new Lights();
  private readonly floor = new Floor();
  private readonly backdrop = new Backdrop();
  private room: Texture | null = null;
  private asked = false;

  constructor(readonly place: HTMLElement) {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = -1; // can have the keys, but is no stop on the way through the buttons
    this.canvas.setAttribute("aria-label", "Viewport");
    this.canvas.addEventListener("webglcontextrestored", () => this.changed());
    place.prepend(this.canvas);
    this.strings = new Strings(place);
    this.label = new Word(place, "label");
    this.amount = new Word(place, "amount");
    this.readout = new Word(place, "readout");
    this.hint = new Word(place, "hint");
    this.opening = new Opening(this);
    this.scene.add(
      this.backdrop,
      this.floor,
      this.lights,
      this.actors,
      this.ghosts,
      this.before,
      this.curves,
      this.bounds,
      this.marks,
      this.gizmo,
    );
    this.scene.environmentIntensity = 0.28;
    effect(() => this.setLightEffects(lightEffects.value));
    watchLooks();
    effect(() => this.wear());
    effect(() => {
      if (cast.value) void this.actors.load(cast.value, looks.peek());
    });
    effect(() => {
      watched();
      this.changed();
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
      dragging.peek()?.step();
      if (this.orbit.step(now)) this.changed();
      this.draw();
    });
  }

  /** What the next drag will do, said once. */
  armedWords(verb: Verb): void {
    const words = {
      move: "Drag to move",
      turn: "Drag to rotate the joint",
      time: "Drag sideways to scale timing",
    }[verb];
    this.hint.say(words, this.orbit.size.x / 2, 24, -60, 0);
  }

  draw(): void {
    const scale = cast.peek()?.scale ?? 1;
    this.orbit.scale = scale;
    this.actors.pose();
    this.opening.step();
    this.follow.step(this);
    this.ghosts.update(this, scale);
    this.before.update();
    this.curves.update();
    this.bounds.update(this);
    this.marks.update(this);
    this.gizmo.update(this);
    dragging.peek()?.draw();
    this.floor.visible = floorOn.peek();
    this.floor.follow(this.orbit.target, this.orbit.distance, scale);
    const middle = this.middle();
    this.lights.follow(this.orbit.camera, middle, 1.1 * scale + 0.3 * middle.y);
    if (this.drawing) this.renderer.render(this.scene, this.orbit.camera);
    this.drawn++;
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

  private wear(): void {
    const now = looks.value;
    this.backdrop.wear(now);
    this.floor.wear(now);
    this.lights.wear(now);
    this.actors.wear(now);
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

export function buildStage(place: HTMLElement): void {
  try {
    stage = new Stage(place);
  } catch {
    const words = document.createElement("p");
    words.className = "word";
    words.textContent = "This browser cannot draw in 3D: WebGL 2 is switched off or missing.";
    return place.append(words);
  }
  new Pointer(stage);
  addVerbs(stage);
  offerHandle(stage);
}
