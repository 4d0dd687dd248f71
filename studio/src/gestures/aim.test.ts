import { Quaternion, Ray, Vector3 } from "three";
import { expect, test } from "vitest";
import { Aim, alongAxis, angleAround, inScreenPlane, overGround, rolled } from "./aim";

const eye = new Vector3(0, 0, 5);
const rayTo = (x: number, y: number, z: number) =>
  new Ray(eye, new Vector3(x, y, z).sub(eye).normalize());

test("a drag in the plane of the screen moves the point by what the pointer moved there", () => {
  const start = new Vector3(1, 1, 0);
  const wanted = inScreenPlane(start, new Vector3(0, 0, 1), rayTo(1.1, 1, 0), rayTo(1.6, 0.8, 0));
  expect(wanted.toArray()).toEqual([expect.closeTo(1.5), expect.closeTo(0.8), expect.closeTo(0)]);
});

test("a pointer that did not move leaves the target where the point is", () => {
  const start = new Vector3(0.3, -0.2, 0.1);
  const ray = rayTo(0.5, 0, 0);
  expect(inScreenPlane(start, new Vector3(0, 0, 1), ray, ray).distanceTo(start)).toBeCloseTo(0);
  expect(alongAxis(start, new Vector3(1, 0, 0), ray, ray).distanceTo(start)).toBeCloseTo(0);
});

test("along an axis only that axis changes, and the point stays under the pointer", () => {
  const start = new Vector3(0, 0, 0);
  const wanted = alongAxis(start, new Vector3(1, 0, 0), rayTo(0, 0, 0), rayTo(0.7, 0.4, 0));
  expect(wanted.y).toBe(0);
  expect(wanted.z).toBe(0);
  expect(wanted.x).toBeGreaterThan(0.65);
  expect(wanted.x).toBeLessThan(0.75);
});

test("a footplant follows the ground under the pointer, and the screen plane where the ground is edge-on", () => {
  const above = new Vector3(0, 3, 5);
  const down = (x: number, z: number) =>
    new Ray(above, new Vector3(x, 0, z).sub(above).normalize());
  const start = new Vector3(0.1, 0, 0.2);
  const back = new Vector3(0, 0.5, 0.86).normalize();
  const wanted = overGround(start, back, down(0.1, 0.2), down(0.4, -0.6));
  expect(wanted.toArray()).toEqual([expect.closeTo(0.4), expect.closeTo(0), expect.closeTo(-0.6)]);
  const level = overGround(
    new Vector3(0, 0, 0),
    new Vector3(0, 0, 1),
    rayTo(0, 0, 0),
    rayTo(0.5, 0.2, 0),
  );
  expect(level.toArray()).toEqual([expect.closeTo(0.5), 0, expect.closeTo(0)]);
});

test("an axis that points at the camera moves nothing", () => {
  const start = new Vector3(0, 0, 0);
  expect(
    alongAxis(start, new Vector3(0, 0, 1), rayTo(0, 0, 0), rayTo(0, 0.001, 0)).toArray(),
  ).toEqual([0, 0, 0]);
});

test("precise mode moves a tenth as far, from where it was switched on", () => {
  const aim = new Aim(100, 100);
  aim.to(150, 100, false);
  aim.to(250, 100, true);
  expect([aim.x, aim.y]).toEqual([160, 100]);
  aim.to(260, 110, false);
  expect([aim.x, aim.y]).toEqual([170, 110]);
});

test("rolling to the right turns around what points up", () => {
  const turn = rolled(100, 0, new Vector3(1, 0, 0), new Vector3(0, 1, 0));
  expect(turn.angleTo(new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), 1))).toBeCloseTo(0);
  expect(rolled(0, 0, new Vector3(1, 0, 0), new Vector3(0, 1, 0)).w).toBe(1);
});

test("the angle around a point is counted against the clock and never jumps by a whole turn", () => {
  const centre = { x: 0, y: 0 };
  expect(angleAround(centre, { x: 10, y: 0 }, { x: 0, y: -10 })).toBeCloseTo(Math.PI / 2);
  expect(angleAround(centre, { x: -10, y: -1 }, { x: -10, y: 1 })).toBeCloseTo(2 * Math.atan(0.1));
});
