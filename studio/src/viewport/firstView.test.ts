import { Box3, Vector3 } from "three";
import { expect, test } from "vitest";
import { closeView, facingOf, firstView, heightIn, sideOf } from "./firstView";

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

test("a figure that is followed fills much of the picture; a crowd does not make it small", () => {
  const near = closeView(figure(), figure(), LENS);
  expect(heightIn(near, figure(), LENS)).toBeGreaterThan(0.55);
  expect(heightIn(near, figure(), LENS)).toBeLessThan(0.85);
  const crowd = figure().union(figure(-20));
  expect(closeView(crowd, figure(), LENS)).toEqual(near);
});

/** Hips, thighs and hands of a body that is turned about Y; the left hand is stretched out forwards. */
function turnedBody(angle: number): [{ joints: string[]; parents: number[] }, [Float32Array]] {
  const places = [
    [0, 0],
    [0.1, 0],
    [-0.1, 0],
    [0.3, 0.6],
    [-0.3, 0],
  ];
  const placed = new Float32Array(16 * places.length);
  places.forEach(([x, z], j) => {
    placed[16 * j + 12] = x! * Math.cos(angle) + z! * Math.sin(angle);
    placed[16 * j + 14] = z! * Math.cos(angle) - x! * Math.sin(angle);
  });
  const joints = ["Hips", "LeftUpLeg", "RightUpLeg", "LeftHand", "RightHand"];
  return [{ joints, parents: [-1, 0, 0, 1, 2] }, [placed]];
}

test("a body is looked at from the front, to the nearest quarter turn", () => {
  for (const quarter of [-1, 0, 1, 2]) {
    for (const off of [-0.2, 0, 0.2]) {
      const turn = facingOf(...turnedBody((quarter * Math.PI) / 2 + off));
      expect(Math.sin(turn)).toBeCloseTo(Math.sin((quarter * Math.PI) / 2));
      expect(Math.cos(turn)).toBeCloseTo(Math.cos((quarter * Math.PI) / 2));
    }
  }
});

test("one frame that faces elsewhere, as captures begin with, does not count", () => {
  const [rig, [away]] = turnedBody(Math.PI);
  const [, [front]] = turnedBody(0);
  expect(facingOf(rig, [front, away, away, away])).toBeCloseTo(Math.PI);
});

test("what has no left and right is looked at from +Z", () => {
  expect(facingOf({ joints: ["Base", "Arm"], parents: [-1, 0] }, [new Float32Array(32)])).toBe(0);
});

test("a hand is seen from its own side, whichever way the body faces", () => {
  for (const quarter of [-1, 0, 1, 2]) {
    const [rig, seen] = turnedBody((quarter * Math.PI) / 2);
    const facing = facingOf(rig, seen);
    expect(sideOf(3, facing, seen)).toBe(1); // the left hand is at +X of a body that faces +Z
    expect(sideOf(4, facing, seen)).toBe(-1);
  }
  expect(sideOf(0, 0, [new Float32Array(32)])).toBe(1);
});
