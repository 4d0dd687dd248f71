import { Box3, Vector3 } from "three";
import { expect, test } from "vitest";
import { areCrowded, clipped, nearestInFront, nearestOn, project, rayAt } from "./projection";
import { fit, Orbit } from "./orbit";

function camera(): Orbit {
  const orbit = new Orbit(() => {});
  orbit.resize(800, 600);
  return orbit;
}

test("the target is in the middle of the picture", () => {
  const orbit = camera();
  const seen = project(orbit, orbit.target);
  expect(seen?.x).toBeCloseTo(400);
  expect(seen?.y).toBeCloseTo(300);
  expect(seen?.depth).toBeCloseTo(orbit.distance);
});

test("a ray through a seen place meets it", () => {
  const orbit = camera();
  const place = new Vector3(0.4, 1.3, -0.2);
  const seen = project(orbit, place)!;
  expect(rayAt(orbit, seen.x, seen.y).distanceToPoint(place)).toBeCloseTo(0, 5);
});

test("a metre is as many px as its ends are apart", () => {
  const orbit = camera();
  orbit.yaw = 0;
  orbit.pitch = 0;
  orbit.place();
  const [a, b] = [orbit.target.clone(), orbit.target.clone().add(new Vector3(1, 0, 0))];
  const apart = project(orbit, b)!.x - project(orbit, a)!.x;
  expect(apart * orbit.worldPerPixel(a)).toBeCloseTo(1, 4);
});

test("what is behind the camera is not seen, and lines end before it", () => {
  const orbit = camera();
  const behind = orbit.camera.position.clone().multiplyScalar(2);
  expect(project(orbit, behind)).toBeNull();
  expect(clipped(orbit, behind, orbit.target)).not.toBeNull();
  expect(clipped(orbit, behind, behind.clone().multiplyScalar(2))).toBeNull();
});

test("the nearest place of a line may lie between its samples", () => {
  const line = [
    { x: 0, y: 0, depth: 1 },
    { x: 10, y: 0, depth: 2 },
    { x: 10, y: 10, depth: 3 },
  ];
  expect(nearestOn(line, 4, 3)).toEqual({ at: 0.4, distance: 3, depth: 1.4 });
  expect(nearestOn(line, 13, 5)?.at).toBeCloseTo(1.5);
  expect(nearestOn([line[0]!, null, line[2]!], 9, 10)).toEqual({ at: 2, distance: 1, depth: 3 });
  expect(nearestOn([null], 0, 0)).toBeNull();
});

test("a framed box is wholly in the picture, from every side", () => {
  const box = new Box3(new Vector3(-2, 0, -0.3), new Vector3(1, 1.7, 4));
  for (const side of [
    { yaw: 0, pitch: 0 },
    { yaw: 0.7, pitch: 0.2 },
    { yaw: 2, pitch: 1.5 },
    { yaw: -1, pitch: -0.4 },
  ]) {
    const orbit = camera();
    orbit.yaw = side.yaw;
    orbit.pitch = side.pitch;
    orbit.distance = fit(box, side, orbit.camera.fov, orbit.camera.aspect);
    box.getCenter(orbit.target);
    orbit.place();
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(i & 1 ? 1 : -2, i & 2 ? 1.7 : 0, i & 4 ? 4 : -0.3);
      const seen = project(orbit, corner)!;
      expect(seen.x).toBeGreaterThan(0);
      expect(seen.x).toBeLessThan(800);
      expect(seen.y).toBeGreaterThan(0);
      expect(seen.y).toBeLessThan(600);
    }
  }
});

test("zooming keeps what is under the pointer there", () => {
  const orbit = camera();
  const point = rayAt(orbit, 600, 200);
  const before = point.at(orbit.distance, new Vector3());
  const seen = project(orbit, before)!;
  orbit.zoom(0.5, 600, 200);
  const after = project(orbit, before)!;
  expect(Math.hypot(after.x - seen.x, after.y - seen.y)).toBeLessThan(25);
});

test("a branch in front is found where one behind the body is nearer on the screen", () => {
  const behind = [0, 10, 20].map((x) => ({ x, y: 100, depth: 5 }));
  const before = [0, 10, 20].map((x) => ({ x, y: 106, depth: 3 }));
  const line = [...behind, null, ...before];
  expect(nearestInFront(line, 10, 101, 3.1)).toMatchObject({ at: 5, distance: 5, depth: 3 });
  expect(nearestInFront(line, 10, 101, Infinity)?.depth).toBe(5);
  expect(nearestInFront(line, 10, 101, 2)).toBeNull();
});

test("marks are crowded where both beside one are within the radius", () => {
  const at = (x: number) => ({ x, y: 0, depth: 1 });
  expect(areCrowded(at(0), [at(-4), at(5)], 6)).toBe(true);
  expect(areCrowded(at(0), [at(-4), at(7)], 6)).toBe(false);
  expect(areCrowded(at(0), [null, at(4)], 6)).toBe(true);
  expect(areCrowded(at(0), [null, null], 6)).toBe(false);
});
