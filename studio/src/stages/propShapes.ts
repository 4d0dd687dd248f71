// Props as they are drawn: real ones hide what is behind them and take shadows, virtual ones are meshes.

import {
  BoxGeometry,
  ConeGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  IcosahedronGeometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  ShadowMaterial,
  SphereGeometry,
  type BufferGeometry,
} from "three";
import type { RealShape, StageProp, VirtualShape } from "./stages";

const hidden = new MeshBasicMaterial({ colorWrite: false });
const shade = new ShadowMaterial({ opacity: 0.4 });
const outline = new LineBasicMaterial({ color: "#ffd166" });
const matt = (color: string) => new MeshStandardMaterial({ color, roughness: 0.8 });
const [bark, leaf, red, cream, glass] = [
  matt("#7a5536"),
  matt("#3f8f52"),
  matt("#cc4238"),
  matt("#efe3cd"),
  new MeshStandardMaterial({ color: "#58c7d8", roughness: 0.15, flatShading: true }),
];

const REAL: Record<RealShape, BufferGeometry> = {
  box: new BoxGeometry(1, 1, 1).translate(0, 0.5, 0),
  cylinder: new CylinderGeometry(0.5, 0.5, 1, 28).translate(0, 0.5, 0),
};

const VIRTUAL: Record<VirtualShape, () => Mesh[]> = {
  tree: () => [
    new Mesh(new CylinderGeometry(0.09, 0.13, 0.7, 12).translate(0, 0.35, 0), bark),
    new Mesh(new ConeGeometry(0.5, 0.8, 9).translate(0, 0.95, 0), leaf),
    new Mesh(new ConeGeometry(0.38, 0.7, 9).translate(0, 1.4, 0), leaf),
  ],
  mushroom: () => [
    new Mesh(new CylinderGeometry(0.15, 0.2, 0.6, 16).translate(0, 0.3, 0), cream),
    new Mesh(
      new SphereGeometry(0.5, 24, 12, 0, 2 * Math.PI, 0, Math.PI / 2).translate(0, 0.5, 0),
      red,
    ),
  ],
  crystal: () => [
    new Mesh(new IcosahedronGeometry(0.32).scale(0.8, 1.7, 0.8).translate(0, 0.55, 0), glass),
    new Mesh(new IcosahedronGeometry(0.2).scale(0.8, 1.5, 0.8).translate(0.3, 0.3, 0.1), glass),
  ],
};

/** `marked` draws the edges of a real prop. */
export function propShape({ shape, place, size }: StageProp, marked: boolean): Group {
  const group = new Group();
  if (shape === "box" || shape === "cylinder") {
    const hides = new Mesh(REAL[shape], hidden);
    hides.castShadow = true;
    hides.renderOrder = -9; // before what it hides
    const shaded = new Mesh(REAL[shape], shade);
    shaded.receiveShadow = true;
    shaded.scale.setScalar(1.002);
    group.add(hides, shaded);
    if (marked) group.add(new LineSegments(new EdgesGeometry(REAL[shape]), outline));
  } else {
    group.add(...VIRTUAL[shape]());
    for (const each of group.children) each.castShadow = each.receiveShadow = true;
  }
  group.position.set(...place);
  group.scale.setScalar(size);
  return group;
}
