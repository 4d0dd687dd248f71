// Meshes as interactions would leave them: vertices that move in previews, over those of the model.

import {
  BufferAttribute,
  BufferGeometry,
  Vector3,
  type InterleavedBufferAttribute,
  type Mesh,
} from "three";
import type { PreviewMesh } from "../state/document";
import type { Drawn } from "./model";

interface Deformed {
  original: BufferGeometry;
  geometry: BufferGeometry; // of its own, as models share geometry
  moved: Float32Array; // shown now
}

export class DeformedMeshes {
  private readonly shown = new Map<Drawn, Deformed>();

  /** Moves the vertices that are given; all others are where the model has them. */
  show(given: readonly { part: Drawn; mesh: PreviewMesh }[]): void {
    const parts = new Set(given.map(({ part }) => part));
    for (const part of [...this.shown.keys()]) if (!parts.has(part)) this.restore(part);
    for (const { part, mesh } of given) this.put(part, mesh.moved);
  }

  /** Shows the model's own vertices for now, or those that moved again. */
  setAside(aside: boolean): void {
    for (const [part, { original, geometry }] of this.shown)
      part.geometry = aside ? original : geometry;
  }

  private put(part: Drawn, moved: Float32Array): void {
    const known = this.shown.get(part);
    if (known?.moved === moved) return;
    const original = known?.original ?? part.geometry;
    const positions = movedPositions(original, moved);
    if (!positions) return;
    const geometry = known?.geometry ?? copyOf(original);
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.boundingBox = geometry.boundingSphere = null;
    part.geometry = geometry;
    this.shown.set(part, { original, geometry, moved });
  }

  private restore(part: Drawn): void {
    const { original, geometry } = this.shown.get(part)!;
    part.geometry = original;
    geometry.dispose();
    this.shown.delete(part);
  }
}

/** Null where a vertex is not one of this geometry. */
function movedPositions(original: BufferGeometry, moved: Float32Array): Float32Array | null {
  const own = original.getAttribute("position");
  const positions = new Float32Array(3 * own.count);
  for (let v = 0; v < own.count; v++)
    for (let axis = 0; axis < 3; axis++) positions[3 * v + axis] = own.getComponent(v, axis);
  for (let i = 0; i < moved.length; i += 4) {
    const at = 3 * moved[i]!;
    if (at >= positions.length) return null;
    for (let axis = 0; axis < 3; axis++) positions[at + axis]! += moved[i + 1 + axis]!;
  }
  return positions;
}

/** The same attributes, indices and groups, in a geometry whose positions may be replaced. */
function copyOf(original: BufferGeometry): BufferGeometry {
  const made = new BufferGeometry();
  for (const [name, attribute] of Object.entries(original.attributes))
    made.setAttribute(name, attribute);
  made.setIndex(original.index);
  made.morphAttributes = original.morphAttributes;
  made.morphTargetsRelative = original.morphTargetsRelative;
  for (const { start, count, materialIndex } of original.groups)
    made.addGroup(start, count, materialIndex);
  return made;
}

/** A vertex with the morph targets that are on, in the mesh's own space. */
export function vertexIn(part: Drawn, vertex: number): Vector3 {
  const at = (attribute: BufferAttribute | InterleavedBufferAttribute) =>
    new Vector3().fromBufferAttribute(attribute, vertex);
  const place = at(part.geometry.getAttribute("position"));
  const shares = (part as Partial<Mesh>).morphTargetInfluences ?? [];
  const targets = part.geometry.morphAttributes["position"] ?? [];
  targets.forEach((target, i) => place.addScaledVector(at(target), shares[i] ?? 0));
  return place;
}
