// Characters and props: loads the model of the scene and shows the poses of a frame.

import { Box3, Group, Mesh, Points, Vector3 } from "three";
import { sceneInfo, poses, previews, documentState, takeName } from "../state/document";
import { isFlowMorph } from "../state/composition";
import { frame, showBones, showMesh } from "../state/view";
import type { SceneInfo, RigInfo } from "../wire/messages";
import { freeDefaultBody, addDefaultBody, applyBodyTheme } from "./defaultBody";
import type { ThemeColours } from "./theme";
import { DeformedMeshes } from "./deformedMeshes";
import { loadModel, type Drawn } from "./model";
import { blend, weightsOf, type Placed } from "./pose";
import { skinBoxes, type SkinnedModel } from "./skinnedModel";
import { ownFrame, takeShown } from "../state/shownTakes";
import { posesAround } from "./shownPose";
import { SkeletonShape } from "./skeleton";

export interface Actor {
  rig: RigInfo;
  skinnedModel: SkinnedModel | null;
  parts: readonly (readonly (Drawn | undefined)[])[]; // of each shape, what draws its parts
  solid: boolean; // has a skin, its own or the default body
  hasDefaultBody: boolean; // its file has no mesh
  bare: boolean; // might still get one, once its poses are there
  skeletonShape: SkeletonShape;
  boxes: Box3[]; // of the skin of each joint
  rest: Placed | null; // where the model file has it
  placed: Placed | null; // as last drawn
}

/** Whether it has more than bones to show: the default body only shows the bones. */
export function hasSkin(actor: Actor): boolean {
  return actor.solid && (showMesh.value || !actor.hasDefaultBody);
}

export class Actors extends Group {
  all: Actor[] = [];
  /** The scene whose model is shown. */
  ready: SceneInfo | null = null;
  private wanted: SceneInfo | null = null;
  private themeColours: ThemeColours | null = null;
  private readonly deformed = new DeformedMeshes();
  private readonly asideWeights = new WeakMap<Mesh | Points, number[]>(); // of the composition

  constructor(private readonly changed: () => void) {
    super();
  }

  async load(info: SceneInfo, themeColours: ThemeColours): Promise<void> {
    this.wanted = info;
    if (this.ready?.model === info.model && this.all.length === info.rigs.length) {
      // the same bodies with other limits or names
      this.all.forEach((actor, r) => (actor.rig = info.rigs[r]!));
      this.ready = info;
      return this.changed();
    }
    const model = await loadModel(info).catch(() => null);
    if (this.wanted !== info) return; // another scene arrived meanwhile
    this.leave();
    if (model) this.add(model.root);
    this.all = info.rigs.map((rig, r) =>
      this.enter(rig, model?.skinnedModels[r] ?? null, model?.parts[r] ?? [], info.scale),
    );
    this.applyTheme(themeColours);
    this.ready = info;
    this.changed();
  }

  private enter(
    rig: RigInfo,
    skinnedModel: SkinnedModel | null,
    parts: Actor["parts"],
    size: number,
  ): Actor {
    const solid = (skinnedModel?.meshes.length ?? 0) > 0;
    const skeletonShape = new SkeletonShape(rig, size);
    if (!rig.prop || !solid) this.add(skeletonShape);
    const rest = skinnedModel && restOf(skinnedModel);
    const boxes = skinnedModel ? skinBoxes(skinnedModel) : [];
    const actor: Actor = {
      rig,
      skinnedModel,
      parts,
      solid,
      hasDefaultBody: false,
      bare: !solid && !rig.prop,
      skeletonShape,
      boxes,
      rest,
      placed: null,
    };
    if (actor.bare && rest) this.dress(actor, [rest]);
    return actor;
  }

  /** Lends a body to bare bones, if one of these poses shows that they are those of one. */
  private dress(actor: Actor, seen: Iterable<Placed>): void {
    const dressed =
      actor.skinnedModel && actor.rest && addDefaultBody(actor.skinnedModel, actor.rest, seen);
    if (!dressed) return;
    actor.skinnedModel = dressed;
    actor.boxes = skinBoxes(dressed);
    actor.solid = actor.hasDefaultBody = true;
    actor.bare = false;
    if (this.themeColours) applyBodyTheme(dressed, this.themeColours);
    this.add(...dressed.meshes);
  }

  /** A skeleton whose rest is a tangle shows what it is when it moves. */
  private dressMoving(actor: Actor): void {
    const info = poses.peek().get(takeName(actor.rig.name, takeShown(actor.rig.name)))?.frames;
    if (!info?.some((pose) => pose)) return;
    this.dress(actor, seenIn(actor.rig, info));
    actor.bare = false;
  }

  find(name: string): Actor | undefined {
    return this.all.find((actor) => actor.rig.name === name);
  }

  applyTheme(themeColours: ThemeColours): void {
    this.themeColours = themeColours;
    for (const actor of this.all) {
      actor.skeletonShape.applyTheme(themeColours);
      if (actor.hasDefaultBody) applyBodyTheme(actor.skinnedModel!, themeColours);
    }
  }

  /** Puts everyone where the shown frame has them. */
  pose(): void {
    this.deform();
    for (const actor of this.all) {
      if (actor.bare) this.dressMoving(actor);
      const near = posesAround(actor.rig.name, ownFrame(actor.rig.name, frame.value));
      const still = !near && !documentState.value?.takes[actor.rig.name]?.length; // a prop that never moves
      if (still) lay(actor);
      if (near) {
        const into = actor.placed === actor.rest ? null : actor.placed;
        actor.placed = blend(actor.rig, near.a, near.b, near.share, into ?? undefined);
        actor.skinnedModel?.place(actor.placed, weightsOf(actor.rig, near.a, near.b, near.share));
        actor.skeletonShape.place(actor.placed);
      }
      const skinned = hasSkin(actor);
      const seen = near !== null || still || actor.placed !== null; // while poses are on their way, as it was
      actor.skeletonShape.visible = seen && (!skinned || showBones.value);
      actor.skeletonShape.showThrough(skinned);
      for (const mesh of actor.skinnedModel?.meshes ?? []) mesh.visible = showMesh.value && seen;
    }
  }

  /** Shows meshes as interactions would leave them, until the model of what was committed is there. */
  private deform(): void {
    if (this.wanted !== this.ready) return;
    const meshes = [...previews.value.values()].flatMap((preview) => preview.meshes);
    this.deformed.show(
      meshes.flatMap((mesh) => {
        const part = this.find(mesh.actor)?.parts[mesh.shape]?.[mesh.part];
        return part ? [{ part, mesh }] : [];
      }),
    );
  }

  /** Shows meshes without the composition, or with it again; previews included. */
  setCompositionAside(aside: boolean): void {
    this.deformed.setAside(aside);
    for (const part of this.all.flatMap((actor) => actor.parts.flat())) {
      if (!(part instanceof Mesh || part instanceof Points)) continue;
      const influences = part.morphTargetInfluences;
      const own = Object.entries(part.morphTargetDictionary ?? {}).filter(([n]) => isFlowMorph(n));
      if (!influences || !own.length) continue;
      const kept = this.asideWeights.get(part) ?? [];
      if (aside)
        this.asideWeights.set(
          part,
          own.map(([, index]) => influences[index] ?? 0),
        );
      own.forEach(([, index], row) => (influences[index] = aside ? 0 : (kept[row] ?? 1)));
    }
  }

  /** All that a pose takes up. */
  boxOf(actor: Actor, placed: Placed, into = new Box3()): Box3 {
    const corner = new Vector3();
    const scale = sceneInfo.peek()?.scale ?? 1;
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
    this.deformed.show([]);
    for (const actor of this.all) {
      actor.skeletonShape.free();
      for (const mesh of actor.skinnedModel?.meshes ?? []) mesh.geometry.dispose();
      if (actor.hasDefaultBody) freeDefaultBody(actor.skinnedModel!);
    }
    this.clear();
    this.all = [];
    this.ready = null;
  }
}

function* seenIn(rig: RigInfo, info: readonly (Float32Array | null)[]): Generator<Placed> {
  for (const pose of info) if (pose) yield blend(rig, pose, pose, 0);
}

/** Where the model file has the joints. */
function restOf(skinnedModel: SkinnedModel): Placed {
  const placed = new Float32Array(16 * skinnedModel.joints.length);
  skinnedModel.joints.forEach((joint, j) => joint.matrixWorld.toArray(placed, 16 * j));
  return placed;
}

/** A prop without a take stays at its rest pose; also after a cancelled drag. */
function lay(actor: Actor): void {
  if (actor.placed && actor.rest && actor.placed !== actor.rest) {
    actor.skinnedModel?.place(actor.rest, []);
    actor.skeletonShape.place(actor.rest);
  }
  actor.placed = actor.rest;
}
