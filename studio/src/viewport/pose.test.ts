import { Matrix4, Quaternion, Vector3 } from "three";
import { expect, test } from "vitest";
import type { RigInfo } from "../wire/messages";
import { blend, placeOf, weightsOf } from "./pose";

function rig(stride: number, joints = 1, weights: number[] = []): RigInfo {
  const names = Array.from({ length: joints }, (_, j) => `joint${j}`);
  return {
    name: "x",
    prop: false,
    joints: names,
    parents: names.map((_, j) => j - 1),
    analysis: [],
    root_set: false,
    nodes: [],
    channels: [],
    stride,
    weights,
    carriers: [],
    shapes: [],
  };
}

function pose(position: Vector3, turn: Quaternion): Float32Array {
  return new Float32Array([...position.toArray(), ...turn.toArray()]);
}

const turn = new Quaternion().setFromAxisAngle(new Vector3(1, 2, 3).normalize(), 0.7);
const place = new Vector3(0.1, 0.9, -0.3);

test("a stiff joint's matrix is what three.js makes of place and turn", () => {
  const info = pose(place, turn);
  const placed = blend(rig(7), info, info, 0);
  const wanted = new Matrix4().compose(place, turn, new Vector3(1, 1, 1));
  wanted.elements.forEach((each, i) => expect(placed[i]).toBeCloseTo(each, 6));
});

test("halfway between two frames a joint is halfway, whichever sign its quaternion has", () => {
  const next = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), 0.4);
  const minus = new Quaternion(-next.x, -next.y, -next.z, -next.w);
  const from = pose(new Vector3(), new Quaternion());
  const half = new Matrix4().makeRotationY(0.2).setPosition(0.5, 0, 0);
  for (const end of [next, minus]) {
    const placed = blend(rig(7), from, pose(new Vector3(1, 0, 0), end), 0.5);
    half.elements.forEach((each, i) => expect(placed[i]).toBeCloseTo(each, 5));
  }
});

test("a stretched joint comes by rows and goes by columns", () => {
  const rows = new Float32Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect([...blend(rig(12), rows, rows, 0)]).toEqual([
    1, 5, 9, 0, 2, 6, 10, 0, 3, 7, 11, 0, 4, 8, 12, 1,
  ]);
});

test("a point goes with its joint", () => {
  const info = pose(place, turn);
  const body = rig(7);
  const placed = blend(body, info, info, 0);
  const found = placeOf(body, placed, { joint: "joint0", offset: [0, 0.2, 0] });
  const wanted = new Vector3(0, 0.2, 0).applyQuaternion(turn).add(place);
  expect(found!.distanceTo(wanted)).toBeLessThan(1e-6);
  expect(placeOf(body, placed, { joint: "tail" })).toBeNull();
});

test("morph weights lie after the joints", () => {
  const a = new Float32Array([...pose(place, turn), 0, 1]);
  const b = new Float32Array([...pose(place, turn), 1, 0]);
  expect(weightsOf(rig(7, 1, [4, 5]), a, b, 0.25)).toEqual([0.25, 0.75]);
});
