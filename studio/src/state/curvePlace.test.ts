import { expect, test } from "vitest";
import type { MotionCurve } from "./document";
import { farthest, placeAt, travelled } from "./curvePlace";

function curve(...positions: number[]): MotionCurve {
  return {
    character: "biped",
    take: "walk",
    point: { joint: "Hips" },
    perFrame: 2,
    positions: new Float32Array(positions),
    orientations: new Float32Array(),
    speeds: new Float32Array(),
    keys: [],
  };
}

test("a place is read between samples, and held at both ends", () => {
  const line = curve(0, 0, 0, 1, 0, 0, 2, 0, 4);
  expect(placeAt(line, 0.25)).toEqual([0.5, 0, 0]);
  expect(placeAt(line, 9)).toEqual([2, 0, 4]);
  expect(placeAt(curve(), 0)).toBeNull();
});

test("the farthest distance of two curves, everywhere or in some frames", () => {
  const one = curve(0, 0, 0, 1, 0, 0, 2, 0, 0);
  const other = curve(0, 0, 0, 1, 0, 0.5, 2, 3, 4);
  expect(farthest(one, other)).toBe(5);
  expect(farthest(one, other, [0, 0.5])).toBe(0.5);
});

test("a curve is as long as the steps along it", () => {
  const bent = curve(0, 0, 0, 1, 0, 0, 1, 2, 0);
  expect(travelled(bent, 0, 1)).toBe(3);
  expect(travelled(bent, 0, 0.5)).toBe(1);
});
