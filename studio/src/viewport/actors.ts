// Everyone in the scene: loads the model of a cast and shows all poses of a frame.

import { Box3, Group, Vector3 } from "three";
import { cast, poses, story, takeName } from "../state/document";
import { frame, showBones, showMesh } from "../state/view";
import type { SceneInfo, RigInfo } from "../wire/messages";
import { freeBody, lendBody, wearBody } from "./body";
import type { Looks } from "./looks";
import { loadModel } from "./model";
import { blend, weightsOf, type Placed } from "./pose";
import { fleshBoxes, type Puppet } from "./puppet";
import { posesAround, takeShown } from "./shown";
import { Sticks } from "./sticks";

export interface Actor {
  rig: RigInfo;
  puppet: Puppet | null;
  solid: boolean; // has flesh, its own or lent
  lent: boolean; // a body was made for it, as its file has none
  bare: boolean; // might still get one, once its poses are there
  sticks: Sticks;
  boxes: Box3[]; // of the flesh of each joint
  rest: Placed | null; // where the model file has it
  placed: Placed | null; // as last drawn
}

/** Whether it has more than bones to show: a lent body is no more than a way to show them. */
export function hasFlesh(actor: Actor): boolean {
  return actor.solid && (showMesh.value || !actor.lent);
}

export class Actors extends Group {
  all: Actor[] = [];
  /** The cast whose model is on the stage. */
  ready: SceneInfo | null = null;
  private wanted: SceneInfo | null = null;
  private looks: Looks | null = null;

  constructor(private readonly changed: () => void) {
    super();
  }

  async load(told: SceneInfo, looks: Looks): Promise<void> {
    this.wanted = told;
    if (this.ready?.model === told.model && this.all.length === told.rigs.length) {
      // the same bodies with other limits or names
      this.all.forEach((actor, r) => (actor.rig = told.rigs[r]!));
      this.ready = told;
      return this.changed();
    }
    const model = await loadModel(told).catch(() => null);
    if (this.wanted !== told) return; // another cast came meanwhile
    this.leave();
    if (model) this.add(model.root);
    this.all = told.rigs.map((rig, r) => this.enter(rig, model?.puppets[r] ?? null, told.scale));
    this.wear(looks);
    this.ready = told;
    this.changed();
  }

  private enter(rig: RigInfo, puppet: Puppet | null, size: number): Actor {
    const solid = (puppet?.meshes.length ?? 0) > 0;
    const sticks = new Sticks(rig, size);
    if (!rig.prop || !solid) this.add(sticks);
    const rest = puppet && restOf(puppet);
    const boxes = puppet ? fleshBoxes(puppet) : [];
    const actor: Actor = {
      rig,
      puppet,
      solid,
      lent: false,
      bare: !solid && !rig.prop,
      sticks,
      boxes,
      rest,
      placed: null,
    };
    if (actor.bare && rest) this.dress(actor, [rest]);
    return actor;
  }

  /** Lends a body to bare bones, if one of these poses shows that they are those of one. */
  private dress(actor: Actor, seen: Iterable<Placed>): void {
    const dressed = actor.puppet && actor.rest && lendBody(actor.puppet, actor.rest, seen);
    if (!dressed) return;
    actor.puppet = dressed;
    actor.boxes = fleshBoxes(dressed);
    actor.solid = actor.lent = true;
    actor.bare = false;
    if (this.looks) wearBody(dressed, this.looks);
    this.add(...dressed.meshes);
  }

  /** A skeleton whose rest is a tangle shows what it is when it moves. */
  private dressMoving(actor: Actor): void {
    const told = poses.peek().get(takeName(actor.rig.name, takeShown(actor.rig.name)))?.frames;
    if (!told?.some((pose) => pose)) return;
    this.dress(actor, seenIn(actor.rig, told));
    actor.bare = false;
  }

  find(name: string): Actor | undefined {
    return this.all.find((actor) => actor.rig.name === name);
  }

  wear(looks: Looks): void {
    this.looks = looks;
    for (const actor of this.all) {
      actor.sticks.wear(looks);
      if (actor.lent) wearBody(actor.puppet!, looks);
    }
  }

  /** Puts everyone where the shown frame has them. */
  pose(): void {
    for (const actor of this.all) {
      if (actor.bare) this.dressMoving(actor);
      const near = posesAround(actor.rig.name, frame.value);
      const still = !near && !story.value?.takes[actor.rig.name]?.length; // a prop that never moves
      if (still) lay(actor);
      if (near) {
        const into = actor.placed === actor.rest ? null : actor.placed;
        actor.placed = blend(actor.rig, near.a, near.b, near.share, into ?? undefined);
        actor.puppet?.place(actor.placed, weightsOf(actor.rig, near.a, near.b, near.share));
        actor.sticks.place(actor.placed);
      }
      const fleshed = hasFlesh(actor);
      actor.sticks.visible = (near !== null || still) && (!fleshed || showBones.value);
      actor.sticks.showThrough(fleshed);
      for (const mesh of actor.puppet?.meshes ?? [])
        mesh.visible = showMesh.value && (near !== null || still);
    }
  }

  /** All that a pose takes up. */
  boxOf(actor: Actor, placed: Placed, into = new Box3()): Box3 {
    const corner = new Vector3();
    const scale = cast.peek()?.scale ?? 1;
    actor.rig.joints.forEach((_, j) => {
      const box = actor.boxes[j];
      const m = placed.subarray(16 * j, 16 * j + 16);
      if (!box || box.isEmpty()) {
        into.expandByPoint(corner.set(m[12]!, m[13]!, m[14]!).addScalar(0.01 * scale));
        return;
      }
      for (let i = 0; i < 8; i++) {
        const x = i & 1 ? box.max.x : box.min.x;
        const y = i & 2 ? box.max.y : box.min.y;
        const z = i & 4 ? box.max.z : box.min.z;
        corner.set(
          m[0]! * x + m[4]! * y + m[8]! * z + m[12]!,
          m[1]! * x + m[5]! * y + m[9]! * z + m[13]!,
          m[2]! * x + m[6]! * y + m[10]! * z + m[14]!,
        );
        into.expandByPoint(corner);
      }
    });
    return into;
  }

  private leave(): void {
    for (const actor of this.all) {
      actor.sticks.free();
      for (const mesh of actor.puppet?.meshes ?? []) mesh.geometry.dispose();
      if (actor.lent) freeBody(actor.puppet!);
    }
    this.clear();
    this.all = [];
    this.ready = null;
  }
}

function* seenIn(rig: RigInfo, told: readonly (Float32Array | null)[]): Generator<Placed> {
  for (const pose of told) if (pose) yield blend(rig, pose, pose, 0);
}

/** Where the model file has the joints. */
function restOf(puppet: Puppet): Placed {
  const placed = new Float32Array(16 * puppet.joints.length);
  puppet.joints.forEach((joint, j) => joint.matrixWorld.toArray(placed, 16 * j));
  return placed;
}

/** A prop that never moves lies where it was; again so once a hand has forgotten it. */
function lay(actor: Actor): void {
  if (actor.placed && actor.rest && actor.placed !== actor.rest) {
    actor.puppet?.place(actor.rest, []);
    actor.sticks.place(actor.rest);
  }
  actor.placed = actor.rest;
}
