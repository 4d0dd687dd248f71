// The first view: the character is framed and playing, with the tool that can edit it and one motion curve.

import { Box3, Vector3, type PerspectiveCamera } from "three";
import { documentState, inStep, sceneInfo, poses, takeName, takeOf } from "../state/document";
import {
  character,
  followCharacter,
  frame,
  playing,
  points,
  rate,
  resetFollow,
  take,
  tool,
} from "../state/view";
import { activateFor, activeTool, hintOf } from "../tools/shared/registry";
import { startingJoint } from "./startingJoint";
import type { RigInfo, PointRef, SceneInfo } from "../wire/messages";
import { project, type Seen } from "./projection";
import { closeView, facingOf, firstView, sideOf } from "./firstView";
import { goesOn, leavesFirstView } from "./followCamera";
import { takeShown } from "../state/shownTakes";
import { placedAt, posesAround } from "./shownPose";
import { curveOf, placesSeen } from "./motionCurve";
import type { Placed } from "./pose";
import type { SceneView } from "./sceneView";
import { Label } from "./labels";

const VIEW = { yaw: 0.7, pitch: 0.17 }; // three quarters of a front, from a little above
const EDGE = 12; // px from the bottom of the viewport to a hint
const STOPS = 40; // frames of a way that are looked at
const KNOWS = "arcwright.dragged."; // and a tool's name

/** The document and who is in it: models of one document differ in their last part. */
function seenIn({ model, rigs }: SceneInfo): string {
  return JSON.stringify([model.split("/").slice(0, -1), rigs.map(({ name }) => name)]);
}

/** Names of what people like to drag, best first. */
export class Opening {
  /** The model whose first picture was arranged. */
  arranged = "";
  /** The document that was framed, and who was in it. */
  framed = "";
  /** The camera of that picture. */
  camera: PerspectiveCamera;
  /** The quarter turn about Y to where the character faces. */
  facing = 0;
  /** The side from which the character is seen: that of the joint whose curve is shown. */
  side: 1 | -1 = 1;
  private readonly known = new Map<string, boolean>(); // tools that were used
  private first = true;
  /** Whether the first scene plays at once. */
  plays = true;
  /** Another label stands where the hint would. */
  covered = false;

  private readonly label: Label;

  constructor(
    private readonly stage: SceneView,
    private readonly offer: Label,
  ) {
    this.camera = stage.orbit.camera.clone();
    this.label = new Label(stage.place, "hint opening");
  }

  /** Frames a new scene as soon as its poses are loaded. */
  step(): void {
    const info = this.stage.actors.ready;
    const loaded = inStep.peek() && (!hasTakes() || posesAround(character.peek(), 0));
    if (info && info.model !== this.arranged && loaded) {
      this.arranged = info.model;
      const seen = seenIn(info);
      if (seen !== this.framed) this.arrange(); // else a prop was scaled or swapped: the view stays
      this.framed = seen;
    }
    if (this.arranged) this.hint();
  }

  private arrange(): void {
    this.offer.hide(); // what it offered was about another document
    this.frameFirst();
    const rig = sceneInfo.peek()?.rigs.find((each) => each.name === character.peek());
    if (!points.peek().length && rig && hasTakes()) {
      const joint = rig.joints[startingJoint(rig, wayOf(rig))]!;
      points.value = [{ joint, offset: [0, 0, 0], character: rig.name }];
    }
    const info = takeOf(character.peek(), take.peek());
    if (info) activateFor(info);
    if ((this.first || info?.baked) && this.plays && hasTakes()) playing.value = true; // as captures do
    this.first = false;
  }

  /** All that characters take up over the whole motion; props only where they begin. */
  box(): Box3 {
    return this.ways().at(-1) ?? new Box3();
  }

  /** From the front: the figure and as much of its path as there is room for; closer where the camera follows. */
  private frameFirst(): void {
    const { actors, orbit } = this.stage;
    const frame = (box: Box3 | undefined, view = VIEW) => {
      if (box && !box.isEmpty()) orbit.frame(box, view, false);
      this.camera = orbit.camera.clone();
    };
    resetFollow();
    const shown = actors.find(character.peek()) ?? actors.all[0];
    const placed = shown && placedAt(shown.rig, 0);
    this.facing = 0;
    this.side = 1;
    if (!placed) return frame(this.box());
    const firstPoses = this.firstPoses(shown.rig);
    this.facing = facingOf(shown.rig, firstPoses);
    this.side = sideOf(startingJoint(shown.rig, wayOf(shown.rig)), this.facing, firstPoses);
    const view = { ...VIEW, yaw: this.side * VIEW.yaw + this.facing };
    const lens = { ...view, fov: orbit.camera.fov, aspect: orbit.camera.aspect };
    const ways = this.ways();
    const figure = actors.boxOf(shown, placed);
    frame(firstView(ways, figure, lens), view);
    const { name } = shown.rig;
    if (followCharacter.peek() === null && (goesOn(name) || leavesFirstView(name, this.camera)))
      followCharacter.value = true;
    if (followCharacter.peek()) frame(closeView(ways[0]!, figure, lens), view);
  }

  /** Some poses of the first second. */
  private firstPoses(rig: RigInfo): Placed[] {
    const frames = poses.peek().get(takeName(rig.name, takeShown(rig.name)))?.frames ?? [];
    const last = Math.min(frames.length - 1, Math.round(rate.peek()));
    return Array.from({ length: STOPS + 1 }, (_, stop) => {
      const at = Math.round((last * stop) / STOPS);
      return frames[at] ? placedAt(rig, at) : null;
    }).filter((placed) => placed !== null);
  }

  /** All that characters take up from the first frame to some others: boxes that grow. */
  private ways(): Box3[] {
    const { actors } = this.stage;
    const box = new Box3();
    return Array.from({ length: STOPS + 1 }, (_, stop) => {
      for (const actor of actors.all) {
        const info =
          poses.peek().get(takeName(actor.rig.name, takeShown(actor.rig.name)))?.frames ?? [];
        const at = Math.round(((info.length - 1) * stop) / STOPS);
        const moves = info[at] && (stop === 0 || !actor.rig.prop);
        const placed = moves ? placedAt(actor.rig, at) : hasTakes() ? null : actor.rest;
        if (placed) actors.boxOf(actor, placed, box);
      }
      return box.clone();
    });
  }

  /** What the tool can do, until that was done once: beside the curve if it is about that, else below the body. */
  private hint(): void {
    const point = points.peek().at(-1);
    const text = this.knows(tool.peek()) ? "" : hintOf(tool.peek(), point);
    if (!text || this.covered) this.label.hide();
    else if (activeTool().dragsCurves && text === activeTool().hint())
      this.showBesideCurve(text, point);
    else this.label.showAbove(text, this.stage.orbit.size.x / 2, this.stage.orbit.size.y - EDGE);
  }

  private showBesideCurve(text: string, point: PointRef | undefined): void {
    const curve = point && curveOf(point);
    const places = curve && placesSeen(curve, frame.peek());
    if (!places || spread(places) < 0.08 * this.stage.orbit.scale) return this.label.hide();
    const body = project(this.stage.orbit, this.stage.orbit.target);
    const seen = body && furthest(places, body.x, (place) => project(this.stage.orbit, place));
    if (seen) this.label.showBeside(text, seen.x, seen.y, seen.x < body.x ? "left" : "right");
  }

  private knows(name: string): boolean {
    if (!this.known.has(name)) this.known.set(name, localStorage.getItem(KNOWS + name) !== null);
    return this.known.get(name) ?? false;
  }

  /** A tool has begun a gesture. */
  dragged(name: string): void {
    if (this.knows(name)) return;
    this.known.set(name, true);
    localStorage.setItem(KNOWS + name, "1");
    this.label.hide();
  }
}

/** Whether anything plays. */
function hasTakes(): boolean {
  return Object.values(documentState.peek()?.takes ?? {}).some((takes) => takes.length > 0);
}

/** How large the box around a curve is. */
function spread(positions: Float32Array): number {
  const box = new Box3().setFromArray([...positions]);
  return box.getSize(new Vector3()).length();
}

/** The place of a curve that is furthest to one side, where there is room for a label. */
function furthest(
  positions: Float32Array,
  from: number,
  see: (place: Vector3) => Seen | null,
): Seen | null {
  let best: Seen | null = null;
  const place = new Vector3();
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const seen = see(place.fromArray(positions, i));
    if (seen && (!best || Math.abs(seen.x - from) > Math.abs(best.x - from))) best = seen;
  }
  return best;
}

/** How far each joint goes over the frames that are there. */
function wayOf(rig: RigInfo): Float32Array {
  const far = new Float32Array(rig.joints.length);
  const info = poses.peek().get(takeName(rig.name, takeShown(rig.name)))?.frames ?? [];
  let before: Float32Array | null = null;
  for (let at = 0; at < info.length; at++) {
    const now = info[at] ? placedAt(rig, at) : null;
    for (let j = 0; now && before && j < far.length; j++) {
      const o = 16 * j + 12;
      far[j]! += Math.hypot(
        now[o]! - before[o]!,
        now[o + 1]! - before[o + 1]!,
        now[o + 2]! - before[o + 2]!,
      );
    }
    before = now;
  }
  return far;
}
