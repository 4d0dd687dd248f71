import { expect, test } from "vitest";
import type { RigInfo } from "../wire/messages";
import { bonesBetween, clothingPixels, firstMarks, mainJoints } from "./photoJoints";

const JOINTS = ["Hips", "Spine", "Neck", "Head", "LeftUpperLeg", "LeftLowerLeg", "LeftFoot"];
const PLACES = [
  [0, 1, 0],
  [0, 1.2, 0],
  [0, 1.5, 0],
  [0, 1.6, 0],
  [0.1, 0.9, 0],
  [0.1, 0.5, 0],
  [0.1, 0.1, 0],
];
const RIG = { name: "body", joints: JOINTS, parents: [-1, 0, 1, 2, 0, 4, 5] } as unknown as RigInfo;

function placed(turn = (place: number[]) => place): Float32Array {
  const made = new Float32Array(16 * JOINTS.length);
  PLACES.forEach((place, j) => made.set(turn(place), 16 * j + 12));
  return made;
}

function photo(colour: (x: number, y: number) => [number, number, number]): ImageData {
  const [width, height] = [100, 200];
  const data = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set([...colour(x, y), 255], 4 * (y * width + x));
  return { width, height, data } as unknown as ImageData;
}

test("main joints are those of limbs and trunk; a rig without such names has some of its own", () => {
  expect(mainJoints(JOINTS)).not.toContain("Spine");
  expect(mainJoints(["LeftThumbDistal", ...JOINTS])).not.toContain("LeftThumbDistal");
  const others = Array.from({ length: 40 }, (_, i) => `bone${i}`);
  expect(mainJoints(others).length).toBeGreaterThan(3);
  expect(mainJoints(others).length).toBeLessThanOrEqual(16);
});

test("marks lie in the photo as the character is seen from its front", () => {
  const marks = firstMarks(RIG, placed(), 0, [100, 200]);
  expect(marks["Head"]![1]).toBeLessThan(marks["Hips"]![1]);
  expect(marks["LeftFoot"]![0]).toBeGreaterThan(marks["Head"]![0]); // its left is on our right
  for (const [x, y] of Object.values(marks)) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(100);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(200);
  }
  const turned = firstMarks(
    RIG,
    placed(([x, y, z]) => [z!, y!, -x!]),
    Math.PI / 2,
    [100, 200],
  );
  for (const [name, [x, y]] of Object.entries(turned)) {
    expect(x).toBeCloseTo(marks[name]![0], 3);
    expect(y).toBeCloseTo(marks[name]![1], 3);
  }
});

test("bones go to the nearest joint above that has a mark", () => {
  const bones = bonesBetween(RIG, firstMarks(RIG, placed(), 0, [100, 200]));
  expect(bones).toContainEqual(["Neck", "Hips"]);
  expect(bones.some(([joint]) => joint === "Hips")).toBe(false);
});

test("colours are those of the garments between the joints", () => {
  const marks = firstMarks(RIG, placed(), 0, [100, 200]);
  const hips = marks["Hips"]![1];
  const pixels = clothingPixels(
    photo((_, y) => (y < hips ? [255, 0, 0] : [0, 0, 255])),
    marks,
  );
  expect(new Set(pixels["top"]!.map(String))).toEqual(new Set(["1,0,0"]));
  expect(new Set(pixels["bottom"]!.map(String))).toEqual(new Set(["0,0,1"]));
});

test("marks beyond the photo give no colours", () => {
  const marks = { Neck: [-500, -500], Hips: [-500, -300] } as const;
  expect(
    clothingPixels(
      photo(() => [0, 0, 0]),
      marks as never,
    ),
  ).toEqual({});
});
