import { expect, test, vi } from "vitest";

vi.hoisted(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} }));

import * as state from "./recording";

test("a loop is a whole number of beats, near the usual tempo", () => {
  for (const period of [0.3, 0.5, 1, 1.04, 2.4, 7]) {
    const beats = period / state.beatOf(period);
    expect(Math.abs(beats - Math.round(beats))).toBeLessThan(1e-9);
  }
  expect(state.beatOf(1.2)).toBeCloseTo(0.6);
  expect(state.beatOf(0.3)).toBeCloseTo(0.3);
  expect([state.beatOf(null), state.beatOf(0), state.beatOf(NaN)]).toEqual([0.6, 0.6, 0.6]);
});

test("a count-in counts down to one", () => {
  expect([-2.4, -2.3, -1.8, -0.1, 0, 3].map((time) => state.beatsLeft(time, 0.6))).toEqual([
    4, 4, 3, 1, 0, 0,
  ]);
});

test("the timer shows minutes, seconds and tenths", () => {
  expect([-1, 0, 3.24, 59.99, 61.25, 600].map(state.timerText)).toEqual([
    "00:00.0",
    "00:00.0",
    "00:03.2",
    "00:59.9",
    "01:01.2",
    "10:00.0",
  ]);
});
