// Blocks and ramps on the ground, as puppets stand on them.

import {
  BufferAttribute,
  BufferGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  EdgesGeometry,
  Mesh,
  MeshStandardMaterial,
} from "three";
import { blocksHere } from "../state/ground";
import type { GroundBlock } from "../wire/messages";
import type { ThemeColours } from "./theme";

const SUNK = 0.002; // m below a top that lies on the floor, so that the grid does not flicker

export class GroundBlocks extends Group {
  private readonly body = new MeshStandardMaterial({ roughness: 0.95, flatShading: true });
  private readonly edge = new LineBasicMaterial({ transparent: true, opacity: 0.6 });
  private shown: readonly GroundBlock[] = [];

  update(): void {
    const wanted = blocksHere();
    if (wanted === this.shown) return;
    this.shown = wanted;
    for (const each of this.children) (each as Mesh).geometry.dispose();
    this.clear();
    for (const each of wanted) {
      const geometry = solid(each);
      const mesh = new Mesh(geometry, this.body);
      mesh.receiveShadow = mesh.castShadow = true;
      this.add(mesh, new LineSegments(new EdgesGeometry(geometry, 1), this.edge));
    }
  }

  applyTheme(colours: ThemeColours): void {
    this.body.color.copy(colours["stage-bottom"]).lerp(colours.ink, 0.2);
    this.edge.color.copy(colours.ink);
  }
}

/** A box whose top is slanted along z. */
function solid({ x, z, heights }: GroundBlock): BufferGeometry {
  const low = Math.min(0, ...heights) - SUNK;
  const corners: number[][] = [];
  for (const end of [0, 1] as const)
    for (const high of [low, heights[end]])
      for (const side of [0, 1] as const) corners.push([x[side], high, z[end]]);
  const faces = [
    [0, 1, 3, 2], // near
    [4, 6, 7, 5], // far
    [2, 3, 7, 6], // top
    [0, 2, 6, 4], // left
    [1, 5, 7, 3], // right
  ];
  const places = faces.flatMap((face) => [0, 1, 2, 0, 2, 3].flatMap((at) => corners[face[at]!]!));
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  made.computeVertexNormals();
  return made;
}
