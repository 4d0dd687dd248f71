// The virtual world of the last stage: sky, sun, ground and hills around the puppet.

import {
  BackSide,
  CircleGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
  SphereGeometry,
  type BufferGeometry,
} from "three";

const SKY = 42; // body heights
const HILLS = { from: 9, to: 34, rings: 22, around: 96, high: 5.5 };
const [ZENITH, HORIZON] = [new Color("#3f8fd8"), new Color("#dcefff")];
const [MEADOW, FAR_HILL] = [new Color("#6fae55"), new Color("#7fb2a0")];

/** Of a size of 1: scaled to the body's. */
export class World extends Group {
  constructor() {
    super();
    this.add(sky(), sun(), ground(), hills(), ...clouds());
  }
}

function sky(): Mesh {
  const dome = new SphereGeometry(SKY, 32, 24);
  colour(dome, (_, y) => HORIZON.clone().lerp(ZENITH, Math.min(Math.max(y / SKY, 0) ** 0.6, 1)));
  const material = new MeshBasicMaterial({ vertexColors: true, side: BackSide, toneMapped: false });
  const made = new Mesh(dome, material);
  made.renderOrder = -20;
  return made;
}

function sun(): Mesh {
  const material = new MeshBasicMaterial({ color: "#fff6d2", toneMapped: false });
  const made = new Mesh(new SphereGeometry(1.6, 24, 16), material);
  made.position.set(9, 17, -33);
  return made;
}

function ground(): Mesh {
  const made = new Mesh(
    new CircleGeometry(HILLS.to, 64).rotateX(-Math.PI / 2).translate(0, -0.003, 0),
    new MeshLambertMaterial({ color: MEADOW }),
  );
  made.receiveShadow = true;
  return made;
}

/** Rings whose height is a sum of waves, growing with the distance. */
function hills(): Mesh {
  const { from, to, rings, around, high } = HILLS;
  const land = new PlaneGeometry(1, 1, around, rings);
  const at = land.attributes["position"]!;
  for (let i = 0; i < at.count; i++) {
    const turn = 2 * Math.PI * (at.getX(i) + 0.5);
    const share = at.getY(i) + 0.5;
    const far = from + (to - from) * share;
    const wave =
      0.55 + 0.25 * Math.sin(5 * turn + 3 * share) + 0.2 * Math.sin(11 * turn - 5 * share);
    at.setXYZ(i, far * Math.sin(turn), high * share * wave - 0.02, far * Math.cos(turn));
  }
  colour(land, (x, _, z) => MEADOW.clone().lerp(FAR_HILL, (Math.hypot(x, z) - from) / (to - from)));
  land.computeVertexNormals();
  return new Mesh(land, new MeshLambertMaterial({ vertexColors: true, side: BackSide }));
}

function clouds(): Mesh[] {
  const puff = new SphereGeometry(1, 16, 10);
  const white = new MeshBasicMaterial({ color: "#ffffff", toneMapped: false });
  return Array.from({ length: 14 }, (_, i) => {
    const made = new Mesh(puff, white);
    const turn = 2.4 * Math.floor(i / 2) + 0.16 * (i % 2);
    made.position.set(30 * Math.sin(turn), 9 + 2 * (i % 5) + 0.3 * (i % 2), 30 * Math.cos(turn));
    made.scale.set(2.6 - 0.6 * (i % 2), 0.7, 1.6);
    return made;
  });
}

function colour(shape: BufferGeometry, of: (x: number, y: number, z: number) => Color): void {
  const at = shape.attributes["position"]!;
  const values = Array.from({ length: at.count }, (_, i) =>
    of(at.getX(i), at.getY(i), at.getZ(i)).toArray(),
  ).flat();
  shape.setAttribute("color", new Float32BufferAttribute(values, 3));
}
