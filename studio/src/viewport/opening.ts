// The first ten seconds: the character is in view and moving, one hand's curve is there to drag.

import { Box3, Vector3 } from "three";
import { cast, poses, takeName } from "../state/document";
import { character, frame, playing, points, tool } from "../state/view";
import { BESIDE_CURVE, hintOf } from "../tools/hints";
import type { RigInfo, PointRef } from "../wire/messages";
import { project, type Seen } from "./eye";
import { firstView } from "./firstView";
import { placedAt, posesAround, takeShown } from "./shown";
import { curveOf, placesSeen } from "./samples";
import type { Stage } from "./stage";
import { Word } from "./words";

const VIEW = { yaw: 0.7, pitch: 0.17 }; // three quarters, from a little above
const STOPS = 40; // frames of a way that are looked at
const KNOWS = "arcwright.dragged."; // and a tool's name
/** Names of what people like to drag, best first. */
const LIKED = [
  /right.?hand$|hand[._]?r$/i,
  /wrist.*r|r.*wrist/i,
  /hand|wrist|palm/i,
  /shade|head$/i,
];

export class Opening {
  /** The model whose first picture was arranged. */
  arranged = "";
  private readonly known = new Map<string, boolean>(); // tools that have dragged something
  private first = true;

  private readonly word: Word;

  constructor(private readonly stage: Stage) {
    this.word = new Word(stage.place, "hint opening");
  }

  /** Arranges the first picture of a cast as soon as its poses are there. */
  step(): void {
    const told = this.stage.actors.ready;
    if (told && told.model !== this.arranged && posesAround(character.peek(), 0)) {
      this.arranged = told.model;
      this.arrange();
    }
    if (this.arranged) this.hint();
  }

  private arrange(): void {
    const { orbit } = this.stage;
    this.stage.hint.hide(); // what it offered was about another document
    const box = this.firstBox();
    if (box && !box.isEmpty()) orbit.frame(box, VIEW, false);
    const rig = cast.peek()?.rigs.find((each) => each.name === character.peek());
    if (!points.peek().length && rig) points.value = [likedPoint(rig)];
    if (this.first) playing.value = true;
    this.first = false;
  }

  /** All that characters take up over the whole motion; props only where they begin. */
  box(): Box3 {
    return this.ways().at(-1) ?? new Box3();
  }

  /** The figure large enough to work on, with as much of its way as there is room for. */
  private firstBox(): Box3 | undefined {
    const { actors, orbit } = this.stage;
    const shown = actors.find(character.peek()) ?? actors.all[0];
    const placed = shown && placedAt(shown.rig, 0);
    if (!placed) return this.box();
    const lens = { ...VIEW, fov: orbit.camera.fov, aspect: orbit.camera.aspect };
    return firstView(this.ways(), actors.boxOf(shown, placed), lens);
  }

  /** All that characters take up from the first frame to some others: boxes that grow. */
  private ways(): Box3[] {
    const { actors } = this.stage;
    const box = new Box3();
    return Array.from({ length: STOPS + 1 }, (_, stop) => {
      for (const actor of actors.all) {
        const told =
          poses.peek().get(takeName(actor.rig.name, takeShown(actor.rig.name)))?.frames ?? [];
        const at = Math.round(((told.length - 1) * stop) / STOPS);
        const placed = told[at] && (stop === 0 || !actor.rig.prop) ? placedAt(actor.rig, at) : null;
        if (placed) actors.boxOf(actor, placed, box);
      }
      return box.clone();
    });
  }

  /** What the tool can do, until that was done once: beside the curve if it is about that, else on top. */
  private hint(): void {
    const spot = points.peek().at(-1);
    const words = this.knows(tool.peek()) ? "" : hintOf(tool.peek(), spot);
    if (!words) this.word.hide();
    else if (words === BESIDE_CURVE) this.sayBesideCurve(words, spot);
    else this.word.sayAbove(words, this.stage.orbit.size.x / 2, 64);
  }

  private sayBesideCurve(words: string, spot: PointRef | undefined): void {
    const curve = spot && curveOf(spot);
    const places = curve && placesSeen(curve, frame.peek());
    if (!places || spread(places) < 0.08 * this.stage.orbit.scale) return this.word.hide();
    const body = project(this.stage.orbit, this.stage.orbit.target);
    const seen = body && furthest(places, body.x, (place) => project(this.stage.orbit, place));
    if (seen) this.word.sayLevel(words, seen.x, seen.y, seen.x < body.x ? "left" : "right");
  }

  private knows(name: string): boolean {
    if (!this.known.has(name)) this.known.set(name, localStorage.getItem(KNOWS + name) !== null);
    return this.known.get(name) ?? false;
  }

  /** A tool has taken hold of something. */
  dragged(name: string): void {
    if (this.knows(name)) return;
    this.known.set(name, true);
    localStorage.setItem(KNOWS + name, "1");
    this.word.hide();
  }
}

/** How large the box around a curve is. */
function spread(positions: Float32Array): number {
  const box = new Box3().setFromArray([...positions]);
  return box.getSize(new Vector3()).length();
}

/** The place of a curve that is furthest to one side, where there is room for words. */
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

/** A hand or the like, if it moves; else what moves most. */
function likedPoint(rig: RigInfo): PointRef {
  const far = wayOf(rig);
  const most = far.reduce((best, each, j) => (each > far[best]! ? j : best), 0);
  const liked = LIKED.map((like) => rig.joints.findIndex((joint) => like.test(joint))).find(
    (joint) => joint >= 0,
  );
  const joint = liked !== undefined && far[liked]! > 0.15 * far[most]! ? liked : most;
  return { joint: rig.joints[joint]!, offset: [0, 0, 0], character: rig.name };
}

/** How far each joint goes over the frames that are there. */
function wayOf(rig: RigInfo): Float32Array {
  const far = new Float32Array(rig.joints.length);
  const told = poses.peek().get(takeName(rig.name, takeShown(rig.name)))?.frames ?? [];
  let before: Float32Array | null = null;
  for (let at = 0; at < told.length; at++) {
    const now = told[at] ? placedAt(rig, at) : null;
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
