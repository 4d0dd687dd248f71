// A character's skinned meshes, posed by joint matrices: the actor itself, or a ghost of it.

import type { Object3D } from "three";
import {
  Bone,
  Box3,
  Group,
  Matrix4,
  Mesh,
  Skeleton,
  SkinnedMesh,
  Vector3,
  type Material,
} from "three";
import type { RigInfo } from "../wire/messages";
import type { Placed } from "./pose";

export class SkinnedModel {
  readonly group = new Group();
  /** What hangs on joints and moves with them, parents before children. */
  private readonly riders: Object3D[];

  constructor(
    readonly rig: RigInfo,
    readonly joints: readonly Object3D[],
    riders: readonly Object3D[],
    readonly meshes: readonly Mesh[],
    private readonly carriers: readonly { mesh: Mesh; first: number; count: number }[],
  ) {
    this.riders = [...riders];
    this.group.name = rig.name;
  }

  place(placed: Placed, weights: readonly number[]): void {
    this.joints.forEach((joint, j) => joint.matrixWorld.fromArray(placed, 16 * j));
    for (const rider of this.riders) {
      if (rider.parent) rider.matrixWorld.multiplyMatrices(rider.parent.matrixWorld, rider.matrix);
    }
    for (const { mesh, first, count } of this.carriers) {
      const influences = mesh.morphTargetInfluences;
      for (let i = 0; influences && i < count; i++) influences[i] = weights[first + i] ?? 0;
    }
  }

  /** The same body with joints of its own, in another material; geometry is shared. */
  copy(material: Material): SkinnedModel {
    const copies = new Map<Object3D, Object3D>();
    const copyOf = (original: Object3D): Object3D => {
      const known = copies.get(original);
      if (known) return known;
      const made = original instanceof Mesh ? copyMesh(original, material, copyOf) : new Bone();
      copies.set(original, made);
      made.matrixAutoUpdate = false;
      made.matrixWorldAutoUpdate = false;
      made.matrix.copy(original.matrix);
      made.matrixWorld.copy(original.matrixWorld);
      return made;
    };
    const joints = this.joints.map(copyOf);
    const riders = this.riders.map(copyOf);
    // riders keep who carries them, without being drawn twice
    this.riders.forEach((rider, i) => {
      if (rider.parent) riders[i]!.parent = copyOf(rider.parent);
    });
    const meshes = this.meshes.map((mesh) => copyOf(mesh) as Mesh);
    const carriers = this.carriers.map((each) => ({ ...each, mesh: copyOf(each.mesh) as Mesh }));
    const made = new SkinnedModel(this.rig, joints, riders, meshes, carriers);
    made.group.children.push(...meshes);
    made.group.matrixWorldAutoUpdate = false;
    return made;
  }
}

function copyMesh(original: Mesh, material: Material, copyOf: (each: Object3D) => Object3D): Mesh {
  let made: Mesh;
  if (original instanceof SkinnedMesh) {
    const skinned = new SkinnedMesh(original.geometry, material);
    const bones = original.skeleton.bones.map((bone) => copyOf(bone) as Bone);
    skinned.bindMode = original.bindMode;
    skinned.bind(new Skeleton(bones, original.skeleton.boneInverses), original.bindMatrix);
    made = skinned;
  } else made = new Mesh(original.geometry, material);
  if (original.morphTargetInfluences)
    made.morphTargetInfluences = [...original.morphTargetInfluences];
  made.frustumCulled = false;
  return made;
}

/** For every joint, the box of the skin that follows it most, in the joint's own space. */
export function skinBoxes(skinnedModel: SkinnedModel): Box3[] {
  const boxes = skinnedModel.joints.map(() => new Box3());
  const index = new Map<Object3D, number>(skinnedModel.joints.map((joint, j) => [joint, j]));
  const jointOf = (from: Object3D | null): number => {
    for (let each = from; each; each = each.parent) if (index.has(each)) return index.get(each)!;
    return -1;
  };
  const place = new Vector3();
  const toJoint = new Matrix4();
  for (const mesh of skinnedModel.meshes) {
    const places = mesh.geometry.getAttribute("position");
    if (!places) continue;
    if (!(mesh instanceof SkinnedMesh)) {
      const joint = jointOf(mesh);
      if (joint < 0) continue;
      toJoint.copy(skinnedModel.joints[joint]!.matrixWorld).invert().multiply(mesh.matrixWorld);
      for (let v = 0; v < places.count; v++)
        boxes[joint]!.expandByPoint(place.fromBufferAttribute(places, v).applyMatrix4(toJoint));
      continue;
    }
    const indices = mesh.geometry.getAttribute("skinIndex");
    const weights = mesh.geometry.getAttribute("skinWeight");
    if (!indices || !weights) continue;
    const joints = mesh.skeleton.bones.map(jointOf);
    for (let v = 0; v < places.count; v++) {
      let most = 0;
      for (let k = 1; k < 4; k++)
        if (weights.getComponent(v, k) > weights.getComponent(v, most)) most = k;
      const bone = indices.getComponent(v, most);
      const joint = joints[bone] ?? -1;
      const inverse = mesh.skeleton.boneInverses[bone];
      if (joint < 0 || !inverse) continue;
      place.fromBufferAttribute(places, v).applyMatrix4(mesh.bindMatrix).applyMatrix4(inverse);
      boxes[joint]!.expandByPoint(place);
    }
  }
  return boxes;
}
