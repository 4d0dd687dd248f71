// What the stages add to the viewport: narrator, props and the virtual world; and when their milestones are reached.

import { effect } from "@preact/signals-core";
import { Group, Vector3 } from "three";
import { project } from "../viewport/projection";
import type { Stage } from "../viewport/stage";
import { bodySize, narratorPlace, progress, props, puppetPlace, shown, sight } from "./game";
import { Narrator, said } from "./narrator";
import { propShape } from "./propShapes";
import { distanceBetween, isExplored, isReal, unlock, visit, type StageName } from "./stages";
import { World } from "./world";

const REACH = 0.5; // body heights: the puppet is there
const MOUTH = 0.62; // body heights: where the narrator's speech bubble ends
const LINES: Partial<Record<StageName, string>> = {
  augmented: "Hello! A moment ago I was only a thing in your picture. Lead your puppet to me.",
  mixed: "Real and virtual together. Tap the ground to place something, then visit each of them.",
  virtual: "Welcome to my world! What you have placed is still here. Look around.",
};
const REACHED: Partial<Record<StageName, string>> = {
  augmented: "There you are! The next stage is open: real and virtual things together.",
  mixed: "You have seen them all. My world is open to you now.",
};

export class Scenery extends Group {
  readonly narrator = new Narrator();
  private readonly shapes = new Group();
  private readonly world = new World();

  constructor(private readonly stage: Stage) {
    super();
    this.add(this.narrator, this.shapes, this.world);
    stage.scene.add(this);
    effect(() => this.arrange());
    effect(() => {
      const line = LINES[shown.value];
      if (line) this.speak(line);
      else said.value = "";
    });
    effect(() => this.watchMilestones());
  }

  private arrange(): void {
    const isVirtual = shown.value === "virtual";
    this.narrator.visible = LINES[shown.value] !== undefined;
    this.world.visible = isVirtual;
    this.world.scale.setScalar(bodySize.value);
    this.world.position.set(...narratorPlace.value);
    this.shapes.clear();
    for (const each of props.value)
      if (isReal(each) ? !isVirtual : shown.value === "mixed" || isVirtual)
        this.shapes.add(propShape(each, shown.value === "place"));
    this.stage.actors.visible = sight.value !== null;
    this.narrator.step(performance.now() / 1000);
    this.stage.changed();
  }

  private speak(line: string): void {
    this.narrator.speak(line);
    const next = () => {
      const more = this.narrator.step(performance.now() / 1000);
      this.stage.changed();
      if (more) requestAnimationFrame(next);
    };
    next();
  }

  /** Where the speech bubble points to on the page; null where the narrator is out of the picture. */
  bubblePlace(): { x: number; y: number } | null {
    const [x, , z] = narratorPlace.peek();
    const seen = project(this.stage.orbit, new Vector3(x, MOUTH * bodySize.peek(), z));
    return this.narrator.visible ? seen : null;
  }

  private watchMilestones(): void {
    const at = sight.value && puppetPlace();
    if (!at) return;
    const reach = REACH * bodySize.value;
    if (shown.value === "augmented" && distanceBetween(at, narratorPlace.value) < reach)
      this.reached();
    if (shown.value !== "mixed") return;
    props.value = visit(props.value, at, reach);
    if (isExplored(props.value)) this.reached();
  }

  private reached(): void {
    const now = progress.peek();
    const next = unlock(now);
    if (next === now) return;
    progress.value = next;
    const line = REACHED[now.shown];
    if (line) this.speak(line);
  }
}
