// The first ten seconds: the character is in view and moving, one hand's curve is there to drag.

import { Box3, Vector3 } from "three";
import { cast, poses, takeName } from "../state/document";
import { character, playing, points } from "../state/view";
import type { RigTold, Spot } from "../wire/messages";
import { project, type Seen } from "./eye";
import { placedAt, posesAround, takeShown } from "./shown";
import { curveOf } from "./samples";
import type { Stage } from "./stage";

const VIEW = { yaw: 0.7, pitch: 0.17 }; // three quarters, from a little above
const KNOWS = "arcwright.dragged";
/** Names of what people like to drag, best first. */
const LIKED = [/right.?hand$|hand[._]?r$/i, /wrist.*r|r.*wrist/i, /hand|wrist|palm/i, /shade|head$/i];

export class Opening {
  /** The model whose first picture was arranged. */
  arranged = "";
  private hinting = false;
  private first = true;

  constructor(private readonly stage: Stage) {}

  /** Arranges the first picture of a cast as soon as its poses are there. */
  step(): void {
    const told = this.stage.actors.ready;
    if (told && told.model !== this.arranged && posesAround(character.peek(), 0)) {
      this.arranged = told.model;
      this.arrange();
    }
    if (this.hinting) this.hint();
  }

  private arrange(): void {
    const { orbit } = this.stage;
    const box = this.box();
    if (!box.isEmpty()) orbit.frame(box, VIEW, false);
    const rig = cast.peek()?.rigs.find((each) => each.name === character.peek());
    if (!points.peek().length && rig) points.value = [likedPoint(rig)];
    if (this.first) playing.value = true;
    this.first = false;
    this.hinting = localStorage.getItem(KNOWS) === null;
  }

  /** All that characters take up over the whole motion; props only where they begin. */
  box(): Box3 {
    const box = new Box3();
    for (const actor of this.stage.actors.all) {
      const told = poses.peek().get(takeName(actor.rig.name, takeShown(actor.rig.name)));
      const count = actor.rig.prop ? 1 : (told?.frames.length ?? 0);
      const every = Math.max(1, Math.floor(count / 40));
      for (let at = 0; at < count; at += every) {
        const placed = told?.frames[at] ? placedAt(actor.rig, at) : null;
        if (placed) this.stage.actors.boxOf(actor, placed, box);
      }
    }
    return box;
  }

  /** "Drag the curve", beside it, until that was done once. */
  private hint(): void {
    const spot = points.peek().at(-1);
    const curve = spot && curveOf(spot);
    if (!curve) return this.stage.hint.hide();
    const body = project(this.stage.orbit, this.stage.orbit.target);
    const seen = body && furthest(curve.positions, body.x, (place) => project(this.stage.orbit, place));
    if (seen) this.stage.hint.say("Drag the curve", seen.x, seen.y, -20, -40);
  }

  dragged(): void {
    if (!this.hinting) return;
    this.hinting = false;
    localStorage.setItem(KNOWS, "1");
    this.stage.hint.hide();
  }
}

/** The place of a curve that is furthest to one side, where there is room for words. */
function furthest(positions: Float32Array, from: number, see: (place: Vector3) => Seen | null): Seen | null {
  let best: Seen | null = null;
  const place = new Vector3();
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const seen = see(place.fromArray(positions, i));
    if (seen && (!best || Math.abs(seen.x - from) > Math.abs(best.x - from))) best = seen;
  }
  return best;
}

function likedPoint(rig: RigTold): Spot {
  const named = LIKED.map((like) => rig.joints.find((joint) => like.test(joint))).find((joint) => joint !== undefined);
  return { joint: named ?? rig.joints[mostMoved(rig)]!, offset: [0, 0, 0], character: rig.name };
}

/** The joint that goes furthest over the frames that are there. */
function mostMoved(rig: RigTold): number {
  const far = new Float32Array(rig.joints.length);
  const told = poses.peek().get(takeName(rig.name, takeShown(rig.name)))?.frames ?? [];
  let before: Float32Array | null = null;
  for (let at = 0; at < told.length; at++) {
    const now = told[at] ? placedAt(rig, at) : null;
    for (let j = 0; now && before && j < far.length; j++) {
      const o = 16 * j + 12;
      far[j]! += Math.hypot(now[o]! - before[o]!, now[o + 1]! - before[o + 1]!, now[o + 2]! - before[o + 2]!);
    }
    before = now;
  }
  return far.reduce((best, each, j) => (each > far[best]! ? j : best), 0);
}

