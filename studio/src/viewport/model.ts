// Loads the model file and finds the node, meshes and children of each joint.

import {
  DoubleSide,
  LoadingManager,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  type BufferGeometry,
  type Material,
} from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { SceneInfo } from "../wire/messages";
import { SkinnedModel } from "./skinnedModel";

export interface Model {
  root: Object3D;
  skinnedModels: SkinnedModel[];
  /** By actor, shape and part: what draws it. */
  parts: (Drawn | undefined)[][][];
}

/** What draws one part of a shape: triangles, lines or points. */
export type Drawn = Object3D & { geometry: BufferGeometry };

export async function loadModel(sceneInfo: SceneInfo): Promise<Model> {
  const address = new URL(sceneInfo.model, document.baseURI);
  const gltf = await new GLTFLoader(new LoadingManager()).loadAsync(address.href);
  const nodes = new Map<number, Object3D>();
  for (const [object, info] of gltf.parser.associations) {
    const node = (info as { nodes?: number } | undefined)?.nodes;
    if (node !== undefined && object instanceof Object3D) nodes.set(node, object);
  }
  const root = gltf.scene;
  root.updateMatrixWorld(true);
  root.traverse((each) => {
    each.matrixAutoUpdate = false;
    each.matrixWorldAutoUpdate = false;
    if (each instanceof Mesh) mend(each);
  });
  const primitiveOf = (each: Object3D) =>
    gltf.parser.associations.get(each) as { nodes?: number; primitives?: number } | undefined;
  const parts = sceneInfo.rigs.map((rig) =>
    rig.shapes.map((node) => partsAt(nodes.get(node), primitiveOf)),
  );
  return { root, skinnedModels: findSkinnedModels(sceneInfo, root, nodes), parts };
}

/** What draws each primitive of a node's mesh: the node itself, or a child for each. */
function partsAt(
  node: Object3D | undefined,
  primitiveOf: (each: Object3D) => { nodes?: number; primitives?: number } | undefined,
): (Drawn | undefined)[] {
  const found: (Drawn | undefined)[] = [];
  for (const each of node ? [node, ...node.children] : []) {
    const primitive = primitiveOf(each);
    const isOwn = each === node || primitive?.nodes === undefined;
    if (isOwn && primitive?.primitives !== undefined && "geometry" in each)
      found[primitive.primitives] = each as Drawn;
  }
  return found;
}

function findSkinnedModels(
  sceneInfo: SceneInfo,
  root: Object3D,
  nodes: ReadonlyMap<number, Object3D>,
): SkinnedModel[] {
  const owner = new Map<Object3D, number>();
  const jointsOf = sceneInfo.rigs.map((rig, r) =>
    rig.nodes.map((node) => {
      const joint = nodes.get(node) ?? new Object3D();
      owner.set(joint, r);
      return joint;
    }),
  );
  const joints = new Set(jointsOf.flat());
  const riders = sceneInfo.rigs.map((): Object3D[] => []);
  const meshes = sceneInfo.rigs.map((): Mesh[] => []);
  root.traverse((each) => {
    if (!joints.has(each) && each.parent && owner.has(each.parent)) {
      owner.set(each, owner.get(each.parent)!);
      riders[owner.get(each)!]!.push(each);
    }
    if (each instanceof Mesh) {
      const bone = (each as { skeleton?: { bones: Object3D[] } }).skeleton?.bones.find((b) =>
        owner.has(b),
      );
      const whose = owner.get(bone ?? each);
      if (whose !== undefined) meshes[whose]!.push(each);
    }
  });
  return sceneInfo.rigs.map((rig, r) => {
    const carriers = rig.carriers.flatMap(([node, first, count]) =>
      meshesAt(nodes.get(node)).map((mesh) => ({ mesh, first, count })),
    );
    return new SkinnedModel(rig, jointsOf[r]!, riders[r]!, meshes[r]!, carriers);
  });
}

/** A node's own meshes: itself, or one for each of its materials. */
function meshesAt(node: Object3D | undefined): Mesh[] {
  if (!node) return [];
  const own = [node, ...node.children].filter((each): each is Mesh => each instanceof Mesh);
  return own.filter((mesh) => mesh.morphTargetInfluences !== undefined);
}

/** Puts right what files leave out: normals, colours, the back of thin surfaces. */
function mend(mesh: Mesh): void {
  const geometry = mesh.geometry as BufferGeometry;
  if (!geometry.getAttribute("normal")) geometry.computeVertexNormals();
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  const materials: Material[] = Array.isArray(mesh.material) ? mesh.material : [mesh.material];
  for (const material of materials) {
    material.side = DoubleSide;
    if (geometry.getAttribute("color")) material.vertexColors = true;
    if (
      material instanceof MeshStandardMaterial &&
      !material.metalnessMap &&
      material.metalness > 0.9
    ) {
      // files without a material mean plain stuff, not rough metal
      if (material.roughness > 0.9) material.metalness = 0;
    }
  }
}
