// Everyone in the scene: loads the model of a cast and shows all poses of a frame.

import { Box3, Group, Vector3 } from "three";
import { cast, story } from "../state/document";
import { frame, showBones, showMesh } from "../state/view";
import type { Cast, RigTold } from "../wire/messages";
import type { Looks } from "./looks";
import { loadModel } from "./model";
import { blend, weightsOf, type Placed } from "./pose";
import { fleshBoxes, type Puppet } from "./puppet";
import { posesAround } from "./shown";
import { Sticks } from "./sticks";

export interface Actor {
  rig: RigTold;
  puppet: Puppet | null;
  solid: boolean; // has a mesh of its own
  sticks: Sticks;
  boxes: Box3[]; // of the flesh of each joint
  rest: Placed | null; // where the model file has it
  placed: Placed | null; // as last drawn
}

export class Actors extends Group {
  all: Actor[] = [];
  /** The cast whose model is on the stage. */
  ready: Cast | null = null;
  private wanted: Cast | null = null;

  constructor(private readonly changed: () => void) {
    super();
  }

  async load(told: Cast, looks: Looks): Promise<void> {
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
    this.all = told.rigs.map((rig, r) => {
      const puppet = model?.puppets[r] ?? null;
      const solid = (puppet?.meshes.length ?? 0) > 0;
      const sticks = new Sticks(rig, told.scale, solid);
      if (!rig.prop || !solid) this.add(sticks);
      const boxes = puppet ? fleshBoxes(puppet) : [];
      return { rig, puppet, solid, sticks, boxes, rest: puppet && restOf(puppet), placed: null };
    });
    this.wear(looks);
    this.ready = told;
    this.changed();
  }

  find(name: string): Actor | undefined {
    return this.all.find((actor) => actor.rig.name === name);
  }

  wear(looks: Looks): void {
    for (const actor of this.all) {
      if (actor.solid) actor.sticks.wear(looks.ink, looks.accent);
      else actor.sticks.wear(looks.before.clone().lerp(looks.ink, 0.35), looks.accent);
    }
  }

  /** Puts everyone where the shown frame has them. */
  pose(): void {
    for (const actor of this.all) {
      const near = posesAround(actor.rig.name, frame.value);
      const still = !near && !story.value?.takes[actor.rig.name]?.length; // a prop that never moves
      if (still) lay(actor);
      if (near) {
        const into = actor.placed === actor.rest ? null : actor.placed;
        actor.placed = blend(actor.rig, near.a, near.b, near.share, into ?? undefined);
        actor.puppet?.place(actor.placed, weightsOf(actor.rig, near.a, near.b, near.share));
        actor.sticks.place(actor.placed);
      }
      actor.sticks.visible = (near !== null || still) && (!actor.solid || showBones.value);
      for (const mesh of actor.puppet?.meshes ?? []) mesh.visible = showMesh.value && (near !== null || still);
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
    }
    this.clear();
    this.all = [];
    this.ready = null;
  }
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
