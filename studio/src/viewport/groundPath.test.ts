import { expect, test } from "vitest";
import { evened, hipsOf } from "./groundPath";

type Way = (frame: number) => readonly [number, number];

/** Frames 0 to 100, evened out over 18 before and after. */
const around = (at: number, way: Way) => evened(at, 18, 1, 100, way)!;

test("an even walk is followed exactly, also at its ends and between frames", () => {
  const way: Way = (frame) => [0.05 * frame, 2 - 0.01 * frame];
  for (const at of [0, 0.5, 3, 50.25, 99, 100]) {
    const [x, z] = around(at, way);
    expect(x).toBeCloseTo(0.05 * at, 9);
    expect(z).toBeCloseTo(2 - 0.01 * at, 9);
  }
});

test("sway does not shake the picture, and it goes on without a jump", () => {
  const way: Way = (frame) => [
    0.05 * frame + 0.02 * Math.sin((2 * Math.PI * frame) / 12),
    0.03 * Math.sin((2 * Math.PI * frame) / 24),
  ];
  let before = around(30, way);
  for (let at = 30.25; at < 70; at += 0.25) {
    const now = around(at, way);
    expect(Math.abs(now[0] - 0.05 * at)).toBeLessThan(0.004);
    expect(Math.abs(now[1])).toBeLessThan(0.012);
    expect(now[0] - before[0]).toBeCloseTo(0.0125, 2);
    before = now;
  }
});

test("frames that are not there yet are left out, and of none nothing is known", () => {
  const some = (frame: number) => (frame < 10 ? ([1, 2] as const) : null);
  expect(evened(12, 18, 1, 100, some)).toEqual([expect.closeTo(1), expect.closeTo(2)]);
  expect(evened(80, 18, 1, 100, some)).toBeNull();
  expect(evened(0, 18, 1, 0, () => [3, 4])).toEqual([3, 4]);
});

test("the hips are found by name, or where others branch off", () => {
  expect(hipsOf({ joints: ["Armature", "mixamorig:Hips", "Spine"], parents: [-1, 0, 1] })).toBe(1);
  expect(hipsOf({ joints: ["Root", "Body", "LegA", "LegB"], parents: [-1, 0, 1, 1] })).toBe(1);
  expect(hipsOf({ joints: ["Root", "Lamp"], parents: [-1, 0] })).toBe(0);
});
