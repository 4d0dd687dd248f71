import { Box3, Vector3 } from "three";
import { expect, test } from "vitest";
import { firstView, heightIn } from "./firstView";

const LENS = { yaw: 0.7, pitch: 0.17, fov: 32, aspect: 1.4 };

/** A figure of 1.8 m, `z` metres ahead. */
function figure(z = 0): Box3 {
  return new Box3(new Vector3(-0.3, 0, z - 0.2), new Vector3(0.3, 1.8, z + 0.2));
}

/** Boxes that grow over a walk of some metres. */
function walk(metres: number, steps = 20): Box3[] {
  const box = figure();
  return Array.from({ length: steps + 1 }, (_, i) =>
    box.union(figure((metres * i) / steps)).clone(),
  );
}

test("a short way is shown whole", () => {
  const ways = walk(1);
  expect(firstView(ways, figure(), LENS)).toBe(ways.at(-1));
});

test("of a long way as much is shown as leaves the figure a third of the height, and more than nothing", () => {
  for (const metres of [6, 12, -14, -30]) {
    const ways = walk(metres, 60);
    const found = firstView(ways, figure(), LENS)!;
    expect(heightIn(found, figure(), LENS)).toBeGreaterThan(1 / 3);
    expect(ways.indexOf(found)).toBeGreaterThan(0);
    expect(ways.indexOf(found)).toBeLessThan(ways.length - 1);
  }
});

test("where others stand far off at the very first, all of them are still in view", () => {
  const crowd = new Box3().copy(figure()).union(figure(-20));
  const ways = [crowd, crowd.clone().union(figure(5))];
  expect(firstView(ways, figure(), LENS)).toBe(crowd);
});

test("who walks away is large at first, so all of a way of some metres is seen", () => {
  const ways = walk(-6);
  expect(firstView(ways, figure(), LENS)).toBe(ways.at(-1));
});
