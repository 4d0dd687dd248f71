import { expect, test } from "vitest";
import {
  frameOf,
  frameTicks,
  framing,
  framingValues,
  valueOf,
  valueTicks,
  xOf,
  yOf,
  zoomed,
  zoomedValues,
} from "./axis";

test("a frame drawn at a place is read from that place", () => {
  const axis = { start: -3.5, perFrame: 7.25 };
  expect(frameOf(axis, xOf(axis, 12.25))).toBeCloseTo(12.25, 12);
  const values = { top: 4, perUnit: 31 };
  expect(valueOf(values, yOf(values, -1.7))).toBeCloseTo(-1.7, 12);
});

test("zooming keeps what is under the pointer", () => {
  const axis = { start: 2, perFrame: 10 };
  for (const factor of [0.5, 1.3, 1e9]) {
    expect(frameOf(zoomed(axis, 333, factor), 333)).toBeCloseTo(frameOf(axis, 333), 9);
    const values = { top: 4, perUnit: 31 };
    expect(valueOf(zoomedValues(values, 80, factor), 80)).toBeCloseTo(valueOf(values, 80), 6);
  }
});

test("everything framed lies inside the sheet", () => {
  for (const [first, last] of [
    [0, 48],
    [0, 9000],
    [12, 12],
  ] as const) {
    const axis = framing(first, last, 900);
    expect(xOf(axis, first)).toBeGreaterThanOrEqual(27);
    expect(xOf(axis, last)).toBeLessThanOrEqual(873);
  }
  const values = framingValues(-30, 95, 200);
  expect(yOf(values, 95)).toBeGreaterThan(10);
  expect(yOf(values, -30)).toBeLessThan(190);
  expect(framingValues(5, 5, 200).perUnit).toBeLessThan(Infinity);
});

test("labels never touch, whatever the zoom", () => {
  for (const perFrame of [0.02, 0.3, 1, 4, 9, 30, 160]) {
    const axis = { start: 95, perFrame };
    const named = frameTicks(axis, 1000).filter((tick) => tick.label);
    for (let i = 1; i < named.length; i++) {
      const gap = xOf(axis, named[i]!.at) - xOf(axis, named[i - 1]!.at);
      expect(gap).toBeGreaterThan(7 * named[i]!.label.length);
    }
    expect(frameTicks(axis, 1000).length).toBeLessThan(180);
  }
});

test("marks lie on whole frames", () => {
  for (const tick of frameTicks({ start: 0.4, perFrame: 55 }, 500)) expect(tick.at % 1).toBe(0);
});

test("values are marked in round steps, zero without a sign", () => {
  const labels = valueTicks({ top: 45, perUnit: 2 }, 180).map((tick) => tick.label);
  expect(labels).toEqual(["-40", "-20", "0", "20", "40"]);
  const fine = valueTicks({ top: 0.02, perUnit: 3000 }, 120).map((tick) => tick.label);
  expect(fine).toEqual(["-0.02", "-0.01", "0.00", "0.01", "0.02"]);
});
