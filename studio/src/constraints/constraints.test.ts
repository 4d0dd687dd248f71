import { expect, test } from "vitest";
import type { Constraint, Vec3, PointRef } from "../wire/messages";
import { handlesOf, withHandleAt, reshaped, sized } from "./handles";
import { spanOf, withSpan } from "./kinds";
import { CHOICES, gapAt, otherSide, type Here } from "./make";
import { outlineOf } from "./outline";

const point = (joint: string): PointRef => ({ joint, offset: [0, 0, 0], character: "biped" });
const hand = point("LeftHand");

function here(more: Partial<Here> = {}): Here {
  return {
    points: [hand],
    frame: 12,
    frames: [0, 48],
    chosen: false,
    rate: 24,
    scale: 1.7,
    joints: ["Hips", "LeftHand", "RightHand", "LeftFoot"],
    placeAt: (_, frame) => [frame / 48, 1, 0],
    orientationAt: () => [1, 0, 0, 0],
    inAir: null,
    ...more,
  };
}

function made(id: string, more: Partial<Here> = {}): Constraint | null {
  return CHOICES.find((each) => each.id === id)?.make(here(more)) ?? null;
}

test("a distance is kept between two points, or to the other side of one", () => {
  expect(made("distance")).toMatchObject({
    point: { joint: "RightHand" },
    other: hand,
    start: 0,
    end: 2,
    distance: null,
  });
  expect(made("distance", { points: [point("Hips"), hand] })).toMatchObject({
    point: { joint: "Hips" },
    other: hand,
  });
  expect(made("distance", { points: [point("Hips")] })).toBeNull();
  expect(otherSide("L_hand", ["R_hand"])).toBe("R_hand");
  expect(otherSide("hand.L", ["hand.R"])).toBe("hand.R");
});

test("without a selection only what needs none can be added", () => {
  const can = CHOICES.filter((each) => each.make(here({ points: [] })) !== null).map(
    (each) => each.id,
  );
  expect(can).toEqual(["floor", "balance"]);
  expect(made("floor", { points: [] })).toMatchObject({ point: null, height: null });
  expect(made("floor")).toMatchObject({ point: hand, height: 0 });
  expect(made("floor", { points: [point("LeftFoot")] })).toMatchObject({ height: null });
});

test("a room holds all of the way, an obstacle stands where the point is", () => {
  const room = made("in_box");
  expect(room).toMatchObject({ kind: "region", inside: true, region: { shape: "box" } });
  if (room?.kind !== "region" || room.region.shape !== "box") throw new Error("no box");
  expect(room.region.low[0]).toBeLessThan(0);
  expect(room.region.high[0]).toBeGreaterThan(1);
  const ball = made("in_sphere");
  if (ball?.kind !== "region" || ball.region.shape !== "sphere") throw new Error("no ball");
  expect(ball.region.radius).toBeGreaterThan(0.5);
  const low = made("out_of_box", { placeAt: () => [0, 0.05, 2] });
  if (low?.kind !== "region" || low.region.shape !== "box") throw new Error("no box");
  expect(low.region.low[1]).toBe(0);
  expect(low.region.high[1]).toBeGreaterThan(0.05);
});

test("a path goes as the point goes, by few places at whole frames", () => {
  const path = made("path");
  if (path?.kind !== "path") throw new Error("no path");
  expect(path.positions.length).toBeLessThanOrEqual(6);
  path.times.forEach((time, i) => expect(path.positions[i]![0]).toBeCloseTo((time * 24) / 48));
  expect(spanOf(path)).toEqual([0, 2]);
  expect(spanOf(withSpan(path, 1, 3))).toEqual([1, 3]);
  expect(made("path", { placeAt: () => null })).toBeNull();
});

test("the same place twice is now and at the end, or the ends of a chosen stretch", () => {
  expect(made("coincident")).toMatchObject({ start: 0.5, end: 2 });
  expect(made("coincident", { chosen: true })).toMatchObject({ start: 0, end: 2 });
  expect(made("coincident", { frame: 48 })).toMatchObject({ start: 0, end: 2 });
});

test("a flight is where nothing stands, now or next", () => {
  const standing = [
    [0, 10],
    [20, 30],
    [22, 40],
  ] as const;
  expect(gapAt(standing, 5, 3)).toEqual([11, 19]);
  expect(gapAt(standing, 15, 3)).toEqual([11, 19]);
  expect(gapAt(standing, 15, 12)).toBeNull();
  expect(made("flight")).toBeNull();
  expect(made("flight", { inAir: [11, 19] })).toMatchObject({ start: 11 / 24, end: 19 / 24 });
});

const box: Constraint = {
  kind: "region",
  point: hand,
  start: 0,
  end: 1,
  inside: false,
  region: { shape: "box", low: [0, 0, 0], high: [1, 1, 1] },
};

test("a dragged handle moves or sizes a region, which never turns inside out", () => {
  const ids = handlesOf(box, null).map((handle) => handle.id);
  expect(ids).toEqual(["middle", "low 0", "high 0", "low 1", "high 1", "low 2", "high 2"]);
  expect(withHandleAt(box, "middle", [2, 0.5, 0.5])).toMatchObject({
    region: { low: [1.5, 0, 0], high: [2.5, 1, 1] },
  });
  expect(withHandleAt(box, "high 1", [9, 0.4, 9])).toMatchObject({
    region: { low: [0, 0, 0], high: [1, 0.4, 1] },
  });
  expect(withHandleAt(box, "low 0", [5, 0, 0])).toMatchObject({ region: { low: [0.99, 0, 0] } });
  for (const { id, place } of handlesOf(box, null))
    expect(withHandleAt(box, id, place)).toEqual(box);
});

test("a place of a path and the height of a floor are withHandleAt alone", () => {
  const path: Constraint = {
    kind: "path",
    point: hand,
    times: [0, 1],
    positions: [
      [0, 0, 0],
      [1, 0, 0],
    ],
  };
  expect(withHandleAt(path, "place 1", [1, 2, 3])).toEqual({
    ...path,
    positions: [
      [0, 0, 0],
      [1, 2, 3],
    ],
  });
  const floor: Constraint = { kind: "floor", start: 0, end: 1, height: 0.1, point: hand };
  expect(handlesOf(floor, [3, 9, 4])).toEqual([{ id: "height", place: [3, 0.1, 4], axis: 1 }]);
  expect(withHandleAt(floor, "height", [3, 0.3, 4])).toEqual({ ...floor, height: 0.3 });
});

test("a box becomes a ball about as large, and another size keeps its middle", () => {
  if (box.kind !== "region" || box.region.shape !== "box") throw new Error("no box");
  expect(reshaped(box.region)).toEqual({ shape: "sphere", center: [0.5, 0.5, 0.5], radius: 0.5 });
  expect(sized(box.region, [2, 1, 1])).toMatchObject({ low: [-0.5, 0, 0], high: [1.5, 1, 1] });
});

test("outlines are pairs of places on what they outline", () => {
  const far = (place: Vec3) => Math.hypot(...place);
  const ball = outlineOf({ shape: "sphere", center: [0, 0, 0], radius: 2 }, 1);
  expect(ball.length % 2).toBe(0);
  for (const place of ball) expect(far(place)).toBeCloseTo(2);
  expect(outlineOf({ shape: "box", low: [0, 0, 0], high: [1, 1, 1] }, 1)).toHaveLength(24);
  const tube = outlineOf({ shape: "cylinder", start: [0, 0, 0], end: [0, 3, 0], radius: 1 }, 1);
  for (const [x, , z] of tube) expect(Math.hypot(x, z)).toBeCloseTo(1);
});
