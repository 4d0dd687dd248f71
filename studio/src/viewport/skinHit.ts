// Ray casting against skinned meshes: the hit, and the joint with the largest weight.

import type { Mesh } from "three";
import { Matrix4, SkinnedMesh, Vector3, type Object3D, type Ray } from "three";
import type { Actor } from "./actors";

export interface Touch {
  place: Vector3;
  distance: number; // m from the camera
  joint: number;
}

interface Skin {
  stamp: number;
  places: Float32Array; // (V, 3) in the world
}

const skins = new WeakMap<Mesh, Skin>();

/** The first place of an actor's meshes on a ray; `stamp` tells one drawn pose from the next. */
export function touch(actor: Actor, ray: Ray, stamp: number): Touch | null {
  let best: Touch | null = null;
  for (const mesh of actor.skinnedModel?.meshes ?? []) {
    if (!mesh.visible || !mesh.geometry.getAttribute("position")) continue;
    const places = placesOf(mesh, stamp);
    const hit = firstTriangle(mesh, places, ray, best?.distance ?? Infinity);
    if (!hit) continue;
    const place = ray.at(hit.distance, new Vector3());
    best = { place, distance: hit.distance, joint: jointAt(actor, mesh, hit.corners, hit.shares) };
  }
  return best && best.joint >= 0 ? best : null;
}

function placesOf(mesh: Mesh, stamp: number): Float32Array {
  const source = mesh.geometry.getAttribute("position");
  const known = skins.get(mesh);
  if (known && known.stamp === stamp && known.places.length === 3 * source.count)
    return known.places;
  const places =
    known?.places.length === 3 * source.count ? known.places : new Float32Array(3 * source.count);
  const place = new Vector3();
  const morphs = mesh.morphTargetInfluences?.some((share) => share !== 0) ?? false;
  if (mesh instanceof SkinnedMesh && !morphs) skinned(mesh, places);
  else {
    for (let v = 0; v < source.count; v++)
      mesh
        .getVertexPosition(v, place)
        .applyMatrix4(mesh.matrixWorld)
        .toArray(places, 3 * v);
  }
  skins.set(mesh, { stamp, places });
  return places;
}

/** All vertices skinned in one pass: hovering needs this for every drawn frame. */
function skinned(mesh: SkinnedMesh, places: Float32Array): void {
  const source = mesh.geometry.getAttribute("position");
  const indices = mesh.geometry.getAttribute("skinIndex");
  const weights = mesh.geometry.getAttribute("skinWeight");
  const { bones, boneInverses } = mesh.skeleton;
  const moved = bones.map(
    (bone, b) =>
      new Matrix4().multiplyMatrices(bone.matrixWorld, boneInverses[b]!).multiply(mesh.bindMatrix)
        .elements,
  );
  for (let v = 0; v < source.count; v++) {
    const [x, y, z] = [source.getX(v), source.getY(v), source.getZ(v)];
    let [px, py, pz] = [0, 0, 0];
    for (let k = 0; k < 4; k++) {
      const w = weights.getComponent(v, k);
      const m = w > 0 ? moved[indices.getComponent(v, k)] : undefined;
      if (!m) continue;
      px += w * (m[0]! * x + m[4]! * y + m[8]! * z + m[12]!);
      py += w * (m[1]! * x + m[5]! * y + m[9]! * z + m[13]!);
      pz += w * (m[2]! * x + m[6]! * y + m[10]! * z + m[14]!);
    }
    places[3 * v] = px;
    places[3 * v + 1] = py;
    places[3 * v + 2] = pz;
  }
}

interface Hit {
  distance: number;
  corners: [number, number, number];
  shares: [number, number, number];
}

function firstTriangle(mesh: Mesh, p: Float32Array, ray: Ray, within: number): Hit | null {
  const index = mesh.geometry.index;
  const count = index ? index.count : p.length / 3;
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  let best: Hit | null = null;
  let nearest = within;
  for (let t = 0; t + 2 < count; t += 3) {
    const [i, j, k] = index
      ? [index.getX(t), index.getX(t + 1), index.getX(t + 2)]
      : [t, t + 1, t + 2];
    const [ax, ay, az] = [p[3 * i]!, p[3 * i + 1]!, p[3 * i + 2]!];
    const [ux, uy, uz] = [p[3 * j]! - ax, p[3 * j + 1]! - ay, p[3 * j + 2]! - az];
    const [vx, vy, vz] = [p[3 * k]! - ax, p[3 * k + 1]! - ay, p[3 * k + 2]! - az];
    const [hx, hy, hz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
    const det = ux * hx + uy * hy + uz * hz;
    if (Math.abs(det) < 1e-18) continue;
    const [sx, sy, sz] = [ox - ax, oy - ay, oz - az];
    const u = (sx * hx + sy * hy + sz * hz) / det;
    if (u < 0 || u > 1) continue;
    const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const distance = (vx * qx + vy * qy + vz * qz) / det;
    if (distance <= 0 || distance >= nearest) continue;
    nearest = distance;
    best = { distance, corners: [i, j, k], shares: [1 - u - v, u, v] };
  }
  return best;
}

/** The joint with the largest skin weight at a point of a triangle. */
function jointAt(actor: Actor, mesh: Mesh, corners: Hit["corners"], shares: Hit["shares"]): number {
  if (!(mesh instanceof SkinnedMesh)) return jointAbove(actor, mesh);
  const indices = mesh.geometry.getAttribute("skinIndex");
  const weights = mesh.geometry.getAttribute("skinWeight");
  const show = new Map<number, number>();
  corners.forEach((v, c) => {
    for (let k = 0; k < 4; k++) {
      const joint = jointAbove(actor, mesh.skeleton.bones[indices.getComponent(v, k)] ?? null);
      show.set(joint, (show.get(joint) ?? 0) + shares[c]! * weights.getComponent(v, k));
    }
  });
  return [...show].reduce((most, each) => (each[1] > most[1] ? each : most), [-1, -1] as [
    number,
    number,
  ])[0];
}

function jointAbove(actor: Actor, from: Object3D | null): number {
  for (let each = from; each; each = each.parent) {
    const joint = actor.skinnedModel?.joints.indexOf(each) ?? -1;
    if (joint >= 0) return joint;
  }
  return -1;
}
