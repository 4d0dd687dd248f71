// Bones as tapered solids: the body of a skeleton without a mesh, or bones shown through one.

import type { CylinderGeometry } from "three";
import {
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  OctahedronGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
  type Material,
} from "three";
import type { RigInfo } from "../wire/messages";
import type { ThemeColours } from "./theme";
import type { Placed } from "./pose";

const UP = new Vector3(0, 1, 0);

/** Pairs of joints with a bone between them. */
export function bonesOf(rig: RigInfo): [number, number][] {
  return rig.parents.flatMap((parent, joint): [number, number][] =>
    parent >= 0 ? [[parent, joint]] : [],
  );
}

export class SkeletonShape extends Group {
  private readonly bones: [number, number][];
  private readonly shafts: InstancedMesh;
  private readonly knobs: InstancedMesh;
  private readonly stuff: MeshStandardMaterial;
  private readonly knobStuff: MeshStandardMaterial;
  private themeColours: ThemeColours | null = null;
  private through = false;

  /** `size` is the height of the character; ghosts bring a material. */
  constructor(
    private readonly rig: RigInfo,
    private readonly size: number,
    ghostly?: Material,
  ) {
    super();
    this.bones = bonesOf(rig);
    const ways = { roughness: 0.55, metalness: 0, side: DoubleSide };
    this.stuff = new MeshStandardMaterial({ ...ways, flatShading: true });
    this.knobStuff = new MeshStandardMaterial(ways);
    this.shafts = new InstancedMesh(taper(), ghostly ?? this.stuff, Math.max(this.bones.length, 1));
    this.knobs = new InstancedMesh(
      new SphereGeometry(1, 14, 10),
      ghostly ?? this.knobStuff,
      rig.joints.length,
    );
    for (const each of [this.shafts, this.knobs]) {
      each.frustumCulled = false;
      each.castShadow = !ghostly;
      each.receiveShadow = true;
      this.add(each);
    }
    this.shafts.count = this.bones.length;
  }

  applyTheme(themeColours: ThemeColours): void {
    this.themeColours = themeColours;
    if (this.through) this.stuff.color.copy(themeColours.ink);
    else this.stuff.color.copy(themeColours.before).lerp(themeColours.ink, 0.35);
    this.knobStuff.color.copy(themeColours.accent);
  }

  /** Shown through a body, or being the body. */
  showThrough(through: boolean): void {
    if (through === this.through) return;
    this.through = through;
    for (const each of [this.stuff, this.knobStuff]) {
      each.depthTest = !through;
      each.transparent = through;
      each.opacity = through ? 0.55 : 1;
    }
    for (const each of [this.shafts, this.knobs]) {
      each.castShadow = !through;
      each.receiveShadow = !through;
      each.renderOrder = through ? 4 : 0;
    }
    if (this.themeColours) this.applyTheme(this.themeColours);
  }

  place(placed: Placed): void {
    const [from, to, way, middle] = [new Vector3(), new Vector3(), new Vector3(), new Matrix4()];
    const turn = new Quaternion();
    this.bones.forEach(([parent, joint], i) => {
      from.fromArray(placed, 16 * parent + 12);
      to.fromArray(placed, 16 * joint + 12);
      const length = way.subVectors(to, from).length();
      turn.setFromUnitVectors(UP, length > 1e-9 ? way.divideScalar(length) : UP);
      const thick = Math.min(Math.max(0.16 * length, 0.008 * this.size), 0.03 * this.size);
      this.shafts.setMatrixAt(i, middle.compose(from, turn, way.set(thick, length, thick)));
    });
    turn.identity();
    this.rig.joints.forEach((_, j) => {
      from.fromArray(placed, 16 * j + 12);
      const round = this.roundness(j, placed);
      this.knobs.setMatrixAt(j, middle.compose(from, turn, way.set(round, round, round)));
    });
    this.shafts.instanceMatrix.needsUpdate = true;
    this.knobs.instanceMatrix.needsUpdate = true;
  }

  /** Small joints, such as those of fingers, get small knobs. */
  private roundness(joint: number, placed: Placed): number {
    const parent = this.rig.parents[joint]!;
    if (parent < 0) return 0.016 * this.size;
    const o = 16 * joint + 12;
    const p = 16 * parent + 12;
    const length = Math.hypot(
      placed[o]! - placed[p]!,
      placed[o + 1]! - placed[p + 1]!,
      placed[o + 2]! - placed[p + 2]!,
    );
    return Math.min(Math.max(0.12 * length, 0.005 * this.size), 0.016 * this.size);
  }

  free(): void {
    this.shafts.dispose();
    this.knobs.dispose();
    this.stuff.dispose();
    this.knobStuff.dispose();
  }
}

/** A bone along +Y from 0 to 1: widest a sixth along. */
function taper(): OctahedronGeometry | CylinderGeometry {
  const shape = new OctahedronGeometry(1, 0);
  const places = shape.getAttribute("position");
  for (let i = 0; i < places.count; i++) {
    const y = places.getY(i);
    places.setY(i, y > 0.5 ? 1 : y < -0.5 ? 0 : 0.16);
  }
  shape.computeVertexNormals();
  return shape;
}
