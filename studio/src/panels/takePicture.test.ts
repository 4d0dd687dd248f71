import { expect, test, vi } from "vitest";

vi.hoisted(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} }));

import type { JointInfo } from "../wire/messages";
import { figure } from "./takePicture";

const ROLES = ["root", "root", "deform", "deform", "control"];
const RIG = {
  joints: ["RootNode", "Hips", "LeftLeg", "RightLeg", "ik"],
  parents: [-1, 0, 1, 1, 0],
  analysis: ROLES.map((role) => ({ role }) as JointInfo),
};

function placed(...places: [number, number, number][]): Float32Array {
  const made = new Float32Array(16 * places.length);
  places.forEach((place, j) => made.set(place, 16 * j + 12));
  return made;
}

test("bones of the body are drawn, fitted to the picture; controls and the root's way up are not", () => {
  const body = placed([0, 0, 0], [0, 1, 0], [0.2, 0, 0], [-0.2, 0, 0], [9, 9, 9]);
  const lines = figure({ ...RIG, parents: [-1, 0, 1, 1, 0] }, body);
  const numbers = lines.match(/[\d.-]+/g)!.map(Number);
  expect(lines.match(/M/g)).toHaveLength(2);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...numbers)).toBeLessThanOrEqual(26);
  expect(numbers[1]).toBeCloseTo(2); // the hips are above the feet
  expect(numbers[3]).toBeCloseTo(26);
});

test("a body without bones has an empty picture", () => {
  expect(figure({ joints: ["a"], parents: [-1], analysis: [] }, placed([0, 0, 0]))).toBe("");
});
