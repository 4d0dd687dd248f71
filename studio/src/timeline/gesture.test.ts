import { expect, test } from "vitest";
import { growth, snappedMove, snappedScale, Way } from "./gesture";

const plain = { shift: false, ctrl: false };

test("Shift makes a drag ten times as precise, from where it was pressed", () => {
  const way = new Way(100, 50);
  way.go(120, 50, plain);
  way.go(130, 60, { shift: true, ctrl: false });
  expect(way.dx).toBeCloseTo(21);
  expect(way.dy).toBeCloseTo(1);
});

test("the dragged key lands on a whole frame", () => {
  expect(snappedMove(12, 2.6, true)).toBe(3);
  expect(snappedMove(12.0000004, 2.6, true)).toBe(3);
  expect(12.3 + snappedMove(12.3, 2.6, true)).toBeCloseTo(15, 12);
  expect(snappedMove(12, 2.6, false)).toBe(2.6);
});

test("the furthest key of a retimed selection lands on a whole frame", () => {
  expect(10 + 10 * snappedScale(1.23, 10, 20, true)).toBeCloseTo(22, 12);
  expect(snappedScale(1.23, 10, 20, false)).toBe(1.23);
  expect(snappedScale(-3, 10, 20, true)).toBeGreaterThan(0);
  expect(snappedScale(1.4, 10, 10, true)).toBe(1.4);
});

test("a pivot under the pointer does not make the selection jump", () => {
  expect(growth(200, 100, 50)).toBeCloseTo(1.5);
  expect(growth(50, 100, -25)).toBeCloseTo(1.5);
  expect(growth(101, 100, 20)).toBeCloseTo(1.5);
});
