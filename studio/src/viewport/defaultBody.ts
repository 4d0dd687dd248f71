// Adds the default body to a skeleton without a mesh.

import {
  Matrix4,
  MeshStandardMaterial,
  Skeleton,
  SkinnedMesh,
  type Bone,
  type Material,
} from "three";
import type { ThemeColours } from "./theme";
import { sculpt } from "./mannequin/mannequin";
import type { Placed } from "./pose";
import { SkinnedModel } from "./skinnedModel";

/** The same model with a body; null where it does not look like one in any of these poses. */
export function addDefaultBody(
  { rig, joints }: SkinnedModel,
  rest: Placed,
  poses: Iterable<Placed>,
): SkinnedModel | null {
  const made = rig.prop ? null : sculpt(rig, rest, poses);
  if (!made) return null;
  const clay = new MeshStandardMaterial({ roughness: 0.62, metalness: 0 });
  const mesh = new SkinnedMesh(made.skin, clay);
  const inverses = joints.map((_, j) => new Matrix4().fromArray(made.pose, 16 * j).invert());
  mesh.matrixAutoUpdate = false;
  mesh.matrixWorldAutoUpdate = false;
  mesh.bind(new Skeleton(joints as Bone[], inverses), new Matrix4()); // all it asks of a bone is where it is
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  return new SkinnedModel(rig, joints, [], [mesh], []);
}

/** Plain clay, a little warm, lighter than the stage and darker than its marks. */
export function applyBodyTheme({ meshes }: SkinnedModel, themeColours: ThemeColours): void {
  for (const { material } of meshes)
    (material as MeshStandardMaterial).color.set(themeColours.dark ? "#b3aea6" : "#c9c4bb");
}

export function freeDefaultBody({ meshes }: SkinnedModel): void {
  for (const mesh of meshes) {
    (mesh.material as Material).dispose();
    (mesh as SkinnedMesh).skeleton.dispose();
  }
}
