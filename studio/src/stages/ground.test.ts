import { PerspectiveCamera, Vector3 } from "three";
import { expect, test } from "vitest";
import type { Vec3 } from "../wire/messages";
import { groundAt, horizonOf, orientationOf, poseOf, sightOf, standAt, type Tap } from "./ground";

const LENS = { fov: 55, aspect: 390 / 844 };
const FEET: Vec3 = [0.3, 0, -0.7];
const HELD = { height: 1.5, yaw: 0.8, pitch: -0.3 };

function cameraOf(tap: Tap) {
  const sight = sightOf(FEET, tap, LENS, HELD)!;
  const camera = new PerspectiveCamera(LENS.fov, LENS.aspect);
  camera.position.set(...sight.position);
  camera.quaternion.copy(orientationOf(sight));
  camera.updateMatrixWorld();
  return { sight, camera };
}

test("the camera sees the feet where the picture was tapped, from its height", () => {
  for (const tap of [
    [0, -0.4],
    [0.7, -0.9],
    [-0.5, 0],
  ] as const) {
    const { sight, camera } = cameraOf(tap);
    const seen = new Vector3(...FEET).project(camera);
    expect(seen.x).toBeCloseTo(tap[0], 6);
    expect(seen.y).toBeCloseTo(tap[1], 6);
    expect(sight.position[1]).toBe(HELD.height);
    const found = groundAt(poseOf(sight), tap, LENS)!;
    found.forEach((value, i) => expect(value).toBeCloseTo(FEET[i]!, 6));
  }
});

test("a tap at the horizon or above is no ground", () => {
  const horizon = horizonOf(HELD.pitch, LENS);
  expect(sightOf(FEET, [0, horizon], LENS, HELD)).toBeNull();
  expect(sightOf(FEET, [0, 1], LENS, HELD)).toBeNull();
  expect(groundAt(poseOf({ position: [0, 1, 0], yaw: 0, pitch: 0 }), [0, 0.5], LENS)).toBeNull();
});

test("a far place on the ground lies at the horizon", () => {
  const { camera, sight } = cameraOf([0, -0.4]);
  const ahead = new Vector3(0, 0, -1e6).applyAxisAngle(new Vector3(0, 1, 0), sight.yaw);
  expect(ahead.project(camera).y).toBeCloseTo(horizonOf(HELD.pitch, LENS), 4);
});

test("a stick stands at the camera and looks where it looks", () => {
  const { sight, camera } = cameraOf([0, -0.4]);
  const { position, target } = standAt(poseOf(sight));
  const seen = new Vector3(...target).project(camera);
  expect(position).toEqual(sight.position);
  expect(Math.hypot(seen.x, seen.y)).toBeLessThan(1e-6);
});
