import { expect, test } from "vitest";
import { DIVISIONS, frameIn } from "./frameBox";

test("a wide shot in a square viewport leaves room above and below, a tall one at the sides", () => {
  expect(frameIn({ x: 100, y: 100 }, 2)).toEqual({ x: 0, y: 25, width: 100, height: 50 });
  expect(frameIn({ x: 100, y: 100 }, 0.5)).toEqual({ x: 25, y: 0, width: 50, height: 100 });
});

test("the golden section divides a line so that the whole is to the larger part as that to the smaller", () => {
  const [small, large] = DIVISIONS.golden as [number, number];
  expect(1 / large).toBeCloseTo(large / small, 12);
});
