import { PerspectiveCamera, Vector3 } from "three";
import { expect, test } from "vitest";
import { leavesView, outness } from "./leavesView";

/** Looks at hips from 5 m in front of them: the picture is 2.9 m high there, and 4 m wide. */
function camera(): PerspectiveCamera {
  const made = new PerspectiveCamera(32, 1.4, 0.1, 100);
  made.position.set(0, 1, 5);
  made.updateMatrixWorld();
  return made;
}

/** A straight path of hips. */
function path(x: number, z: number, steps = 10): Vector3[] {
  return Array.from(
    { length: steps + 1 },
    (_, i) => new Vector3((x * i) / steps, 1, (z * i) / steps),
  );
}

test("who stays in the picture does not leave it", () => {
  for (const places of [path(0, 0), path(1.5, 0), path(-1.5, 0.5), path(0, 2), path(0, -4)])
    expect(leavesView(places, camera())).toBe(false);
});

test("a path leaves the picture at its sides, towards the camera, past it, and into the distance", () => {
  for (const places of [path(3, 0), path(-3, 0), path(0, 3), path(0, 12), path(0, -8)])
    expect(leavesView(places, camera())).toBe(true);
});

test("no path leaves no picture", () => {
  expect(leavesView([], camera())).toBe(false);
});

test("a place is the more out of view the farther aside, behind or near it is", () => {
  const at = (x: number, z: number) => outness(new Vector3(x, 1, z), camera(), 5);
  expect(at(0, 0)).toBeLessThan(1);
  expect(at(1, 0)).toBeGreaterThan(at(0.5, 0));
  expect(at(9, 0)).toBeGreaterThan(1);
  expect(at(0, -6)).toBeGreaterThan(1);
  expect(at(0, 3)).toBeGreaterThan(1);
  expect(at(0, 6)).toBe(Infinity);
});
