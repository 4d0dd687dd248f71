import { expect, test } from "vitest";
import { PerformedTime, wrapped } from "./performedTime";

test("time rises on over repeats, while the playhead wraps", () => {
  const clock = new PerformedTime(100, 0.5);
  const times = [100.4, 100.8, 101.2].map((at) => clock.advance(at, 1));
  times.forEach((time, i) => expect(time).toBeCloseTo(0.9 + 0.4 * i));
  expect(times.map((time) => Number(wrapped(time, 1).toFixed(6)))).toEqual([0.9, 0.3, 0.7]);
});

test("a sample between two pictures lies between their times, also where the pace changed", () => {
  const clock = new PerformedTime(10, 0);
  clock.advance(11, 1);
  clock.advance(12, 0.5);
  expect(clock.timeAt(10.25)).toBeCloseTo(0.25);
  expect(clock.timeAt(11.5)).toBeCloseTo(1.25);
  expect(clock.timeAt(12.2)).toBeCloseTo(1.6); // after the last picture
  expect(clock.timeAt(9)).toBe(0); // before the first
});

test("a page that was busy for seconds does not shorten what was acted meanwhile", () => {
  const clock = new PerformedTime(0, 0);
  clock.advance(0.1, 1);
  clock.advance(3.1, 1);
  expect(clock.timeAt(1.6)).toBeCloseTo(1.6);
  expect(clock.advance(2, 1)).toBeCloseTo(3.1); // never back
});

test("a count-in before the first frame shows the end of the loop; a take without length stays", () => {
  expect(wrapped(-0.25, 1)).toBeCloseTo(0.75);
  expect(wrapped(7, 0)).toBe(0);
});
