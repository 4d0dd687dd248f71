import { Matrix4, Quaternion, Vector3, type BufferGeometry } from "three";
import { expect, test } from "vitest";
import type { Placed } from "../pose";
import { anatomyOf, type Tree } from "./anatomy";
import { sculpt } from "./mannequin";

type Row = [name: string, parent: string, x: number, y: number, z: number];

/** Half a person in a T-pose, in metres; the other half mirrors it. */
const SIDE: Row[] = [
  ["SideUpLeg", "Hips", 0.09, 0.92, 0],
  ["SideLeg", "SideUpLeg", 0.09, 0.5, 0.01],
  ["SideFoot", "SideLeg", 0.09, 0.08, 0],
  ["SideToes", "SideFoot", 0.09, 0.02, 0.14],
  ["SideToes_End", "SideToes", 0.09, 0.02, 0.2],
  ["SideShoulder", "Spine1", 0.04, 1.42, 0],
  ["SideArm", "SideShoulder", 0.18, 1.44, 0],
  ["SideForeArm", "SideArm", 0.46, 1.44, 0],
  ["SideHand", "SideForeArm", 0.72, 1.44, 0],
  ["SideThumb", "SideHand", 0.75, 1.44, 0.04],
];
const MIDDLE: Row[] = [
  ["Hips", "", 0, 1, 0],
  ["Spine", "Hips", 0, 1.12, 0],
  ["Spine1", "Spine", 0, 1.28, 0],
  ["Neck", "Spine1", 0, 1.5, 0],
  ["Head", "Neck", 0, 1.6, 0.01],
  ["Head_End", "Head", 0, 1.76, 0.01],
];
const PERSON = [...MIDDLE, ...sides(SIDE)];

function sides(rows: Row[]): Row[] {
  const named = (name: string, side: string) => name.replace("Side", side);
  return (["Left", "Right"] as const).flatMap((side) =>
    rows.map(([name, parent, x, y, z]): Row => [
      named(name, side),
      named(parent, side),
      side === "Left" ? x : -x,
      y,
      z,
    ]),
  );
}

function treeOf(rows: Row[]): Tree {
  const joints = rows.map(([name]) => name);
  return { joints, parents: rows.map(([, parent]) => joints.indexOf(parent)) };
}

/** Joints at their places, none turned; then all of it moved. */
function standing(rows: Row[], moved = new Matrix4()): Placed {
  const placed = new Float32Array(16 * rows.length);
  rows.forEach(([, , x, y, z], j) =>
    new Matrix4()
      .makeTranslation(x, y, z)
      .premultiply(moved)
      .toArray(placed, 16 * j),
  );
  return placed;
}

function skinOf(rows: Row[], moved?: Matrix4): BufferGeometry | null {
  const placed = standing(rows, moved);
  return sculpt(treeOf(rows), placed, [placed])?.skin ?? null;
}

function places(skin: BufferGeometry): Vector3[] {
  const at = skin.getAttribute("position");
  return Array.from({ length: at.count }, (_, v) => new Vector3().fromBufferAttribute(at, v));
}

/** The joint that holds the skin most, nearest to a place. */
function holderAt(rows: Row[], x: number, y: number, z: number): string {
  const skin = skinOf(rows)!;
  const here = new Vector3(x, y, z);
  const near = places(skin).reduce(
    (best, each, v, all) => (each.distanceTo(here) < all[best]!.distanceTo(here) ? v : best),
    0,
  );
  const shares = [0, 1, 2, 3].map((k) => skin.getAttribute("skinWeight").getComponent(near, k));
  return rows[
    skin.getAttribute("skinIndex").getComponent(near, shares.indexOf(Math.max(...shares)))
  ]![0];
}

function height(skin: BufferGeometry): number {
  const heights = places(skin).map((place) => place.y);
  return Math.max(...heights) - Math.min(...heights);
}

test("a captured person gets a body of about their height that stands on the floor", () => {
  const skin = skinOf(PERSON)!;
  expect(height(skin)).toBeGreaterThan(1.7);
  expect(height(skin)).toBeLessThan(1.85);
  expect(Math.min(...places(skin).map((place) => place.y))).toBeCloseTo(0, 1);
});

test("every place of the skin is a number and is held whole", () => {
  const skin = skinOf(PERSON)!;
  const shares = skin.getAttribute("skinWeight");
  for (let v = 0; v < shares.count; v++) {
    expect([0, 1, 2, 3].reduce((sum, k) => sum + shares.getComponent(v, k), 0)).toBeCloseTo(1, 5);
  }
  for (const name of ["position", "normal"])
    expect([...skin.getAttribute(name).array].every(Number.isFinite)).toBe(true);
});

test("the skin faces outwards and is closed", () => {
  const skin = skinOf(PERSON)!;
  const index = [...skin.index!.array];
  const at = places(skin);
  const edges = new Map<string, number>();
  let volume = 0;
  for (let t = 0; t < index.length; t += 3) {
    const corners = index.slice(t, t + 3);
    const [a, b, c] = corners.map((v) => at[v]!) as [Vector3, Vector3, Vector3];
    volume += a.dot(new Vector3().crossVectors(b, c)) / 6;
    corners.forEach((v, k) => {
      const w = corners[(k + 1) % 3]!;
      const edge = v < w ? `${v} ${w}` : `${w} ${v}`;
      edges.set(edge, (edges.get(edge) ?? 0) + (v < w ? 1 : -1));
    });
  }
  expect([...edges.values()].every((sum) => sum === 0)).toBe(true);
  expect(volume).toBeGreaterThan(0.04); // m³
  expect(volume).toBeLessThan(0.12);
});

test("the same skeleton gets the same body each time", () => {
  expect(skinOf(PERSON)!.getAttribute("position").array).toEqual(
    skinOf(PERSON)!.getAttribute("position").array,
  );
});

test("a limb is held by its own joints", () => {
  expect(holderAt(PERSON, 0.32, 1.48, 0)).toBe("LeftArm");
  expect(holderAt(PERSON, -0.6, 1.48, 0)).toBe("RightForeArm");
  expect(holderAt(PERSON, 0.09, 0.7, 0.1)).toBe("LeftUpLeg");
  expect(holderAt(PERSON, -0.09, 0.01, 0.2)).toBe("RightToes");
  expect(holderAt(PERSON, 0, 1.78, 0)).toBe("Head");
  expect(holderAt(PERSON, 0, 1.2, 0.1)).toBe("Spine");
});

test("a figure twice as large has a body twice as large", () => {
  const large = PERSON.map(([name, parent, x, y, z]): Row => [name, parent, 2 * x, 2 * y, 2 * z]);
  expect(height(skinOf(large)!)).toBeCloseTo(2 * height(skinOf(PERSON)!), 4);
});

/** The foremost place of the head. */
function nose(skin: BufferGeometry, back = new Matrix4()): Vector3 {
  const head = places(skin)
    .map((place) => place.applyMatrix4(back))
    .filter((place) => place.y > 1.55);
  return head.reduce((best, place) => (Math.abs(place.z) > Math.abs(best.z) ? place : best));
}

test("the face looks where the body faces, however it stands", () => {
  const turned = new Matrix4().compose(
    new Vector3(3, 0, 1),
    new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), 2),
    new Vector3(1, 1, 1),
  );
  const plain = nose(skinOf(PERSON)!);
  expect(plain.z).toBeGreaterThan(0.1);
  expect(plain.distanceTo(nose(skinOf(PERSON, turned)!, turned.clone().invert()))).toBeLessThan(
    0.002,
  );
});

test("without left and right in the names, the toes say where the front is", () => {
  const mute = PERSON.map(([name, parent, x, y, z]): Row => [
    name.replace("Left", "A").replace("Right", "B"),
    parent.replace("Left", "A").replace("Right", "B"),
    -x,
    y,
    z,
  ]);
  expect(nose(skinOf(mute)!).z).toBeGreaterThan(0.1);
});

test("joints of no length, twist joints and ends do not change what is a knee or an elbow", () => {
  const odd = PERSON.flatMap(([name, parent, x, y, z]): Row[] => {
    const renamed = parent.replace("Hips", "HipJoint").replace(/(Left|Right)Arm$/, "$1ArmTwist");
    if (name === "Spine")
      return [
        ["HipJoint", "Hips", 0, 1, 0],
        [name, "Hips", x, y, z],
      ];
    if (/^(Left|Right)Arm$/.test(name))
      return [
        [name, parent, x, y, z],
        [`${name}Twist`, name, x * 1.8, y, z],
      ];
    return [[name, renamed, x, y, z]];
  });
  const places = odd.map(([, , x, y, z]) => new Vector3(x, y, z));
  const anatomy = anatomyOf(treeOf(odd), places)!;
  const middle = ({ joints, middle: at }: { joints: number[]; middle: number }) =>
    odd[joints[at]!]![0];
  expect([...anatomy.arms, ...anatomy.legs].map(middle)).toEqual([
    "LeftForeArm",
    "RightForeArm",
    "LeftLeg",
    "RightLeg",
  ]);
  expect(height(skinOf(odd)!)).toBeCloseTo(height(skinOf(PERSON)!), 2);
});

test("a joint in the middle of the hips from which a leg zigzags is no part of the leg", () => {
  const zigzag = PERSON.flatMap(([name, parent, x, y, z]): Row[] =>
    /UpLeg/.test(name)
      ? [
          [`${name}Socket`, "Hips", 0, 1, 0],
          [name, `${name}Socket`, 1.5 * x, y, 0.07],
        ]
      : [[name, parent, x, y, z]],
  );
  const anatomy = anatomyOf(
    treeOf(zigzag),
    zigzag.map(([, , x, y, z]) => new Vector3(x, y, z)),
  )!;
  expect(anatomy.legs.map((leg) => zigzag[leg.joints[0]!]![0])).toEqual([
    "LeftUpLeg",
    "RightUpLeg",
  ]);
});

test("the whole hand is drawn where there are fingers, thin", () => {
  const fingers = ["Index", "Middle", "Ring", "Pinky"].flatMap((name, i): Row[] => [
    [`Side${name}1`, "SideHand", 0.81, 1.44, 0.03 - 0.02 * i],
    [`Side${name}2`, `Side${name}1`, 0.85, 1.44, 0.03 - 0.02 * i],
    [`Side${name}2_End`, `Side${name}2`, 0.89, 1.44, 0.03 - 0.02 * i],
  ]);
  const rows = [...PERSON, ...sides(fingers)];
  expect(holderAt(rows, 0.87, 1.45, 0.03)).toBe("LeftIndex2");
  const tips = places(skinOf(rows)!).filter((place) => place.x > 0.86);
  expect(
    Math.max(...tips.map((place) => place.y)) - Math.min(...tips.map((place) => place.y)),
  ).toBeLessThan(0.03);
});

test("hands and feet are there where the bones end at wrists and ankles, or go straight on", () => {
  const ending = PERSON.filter(([name]) => !/Toes|Thumb|Head_End/.test(name));
  const straight = PERSON.map(([name, parent, x, y, z]): Row => {
    if (/Toes$/.test(name)) return [name, parent, x, -0.06, -0.003];
    return /Toes_End/.test(name) ? [name, parent, x, -0.12, -0.004] : [name, parent, x, y, z];
  });
  for (const rows of [ending, straight]) {
    const all = places(skinOf(rows)!);
    const [feet, previews] = [
      all.filter((place) => place.y < 0.05),
      all.filter((place) => place.x > 0.75),
    ];
    expect(
      Math.max(...feet.map((place) => place.x)) -
        Math.min(...feet.filter(({ x }) => x > 0).map((place) => place.x)),
    ).toBeGreaterThan(0.06);
    expect(previews.length).toBeGreaterThan(20);
  }
  expect(places(skinOf(ending)!).filter(({ y, z }) => y < 0.05 && z > 0.15).length).toBeGreaterThan(
    20,
  );
});

test("a tail is drawn, and leaves the body as it is", () => {
  const rows: Row[] = [
    ...PERSON,
    ["Tail", "Hips", 0, 0.98, -0.2],
    ["Tail_End", "Tail", 0, 0.9, -0.6],
  ];
  expect(holderAt(rows, 0, 0.94, -0.4)).toBe("Tail");
  expect(height(skinOf(rows)!)).toBeCloseTo(height(skinOf(PERSON)!), 4);
});

test("a skeleton that rests in a tangle gets its body from the first pose that stands", () => {
  const tangle = standing(PERSON.map(([name, parent, x, y, z]): Row => [name, parent, y, x, z]));
  const pose = standing(PERSON);
  expect(sculpt(treeOf(PERSON), tangle, [tangle])).toBeNull();
  expect(sculpt(treeOf(PERSON), tangle, [tangle, pose])!.pose).toBe(pose);
});

test("what is no upright body with two arms, two legs and a head stays bones", () => {
  const prop: Row[] = [["Box", "", 0, 0, 0]];
  const chain = Array.from({ length: 9 }, (_, i): Row => [
    `link${i}`,
    i ? `link${i - 1}` : "",
    0,
    0.1 * i,
    0,
  ]);
  const spider = [...PERSON, ...sides([["SideFoot2", "Hips", 0.3, 0, 0.3]])];
  const dog = PERSON.map(([name, parent, x, y, z]): Row =>
    /Leg|Foot|Toes/.test(name)
      ? [name, parent, x, 0.6 * y, z]
      : [name, parent, x, 0.55 - 0.1 * Math.abs(x), y - 1],
  );
  const headless = PERSON.filter(([name]) => !/Head|Neck/.test(name));
  const kept = Object.entries({ prop, chain, spider, dog, headless }).filter(([, rows]) =>
    skinOf(rows),
  );
  expect(kept.map(([name]) => name)).toEqual([]);
});
