import { beforeEach, expect, test, vi } from "vitest";
import type { Document } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { documentState } = await import("../state/document");
const { continueOn, frameAlong, goesAlong, indexAt, periodOf, samplesOf, wrapped } =
  await import("./loopCurve");

const COUNT = 48;

/** A circle of radius 100 px around (0, 0), once around, closed. */
const circle = Array.from({ length: COUNT + 1 }, (_, i) => {
  const angle = (2 * Math.PI * i) / COUNT;
  return { x: 100 * Math.cos(angle), y: 100 * Math.sin(angle), depth: 1 };
});
/** A lying eight that crosses itself in (0, 0), at a quarter and at three quarters. */
const eight = Array.from({ length: COUNT + 1 }, (_, i) => {
  const angle = (2 * Math.PI * i) / COUNT;
  return { x: 150 * Math.cos(angle), y: 60 * Math.sin(2 * angle), depth: 1 };
});

function curve(positions: readonly number[][], take = "walk") {
  return {
    character: "biped",
    take,
    point: { joint: "Hand" },
    perFrame: 1,
    positions: new Float32Array(positions.flat()),
    orientations: new Float32Array(),
    speeds: new Float32Array(),
    keys: [],
  };
}

beforeEach(() => {
  documentState.value = {
    takes: {
      biped: [
        { name: "walk", loops: true, duration: 2, rate: 24 },
        { name: "once", loops: false, duration: 2, rate: 24 },
      ],
    },
  } as unknown as Document;
});

test("a looping take that stays in place has a closed curve, one that travels has not", () => {
  const around = circle.map(({ x, y }) => [x, y, 0]);
  expect(periodOf(curve(around))).toBe(48);
  expect(periodOf(curve(around.slice(0, -1)))).toBe(48); // the last step is not sampled
  expect(periodOf(curve(around, "once"))).toBe(0);
  expect(periodOf(curve(around.map(([x, y], i) => [x!, y!, 10 * i])))).toBe(0);
});

test("frames are taken back into the loop", () => {
  expect(wrapped(50, 48)).toBe(2);
  expect(wrapped(-1, 48)).toBe(47);
  expect(wrapped(-1, 0)).toBe(-1);
});

test("the place goes on over the seam without a jump", () => {
  let at = 2;
  for (let i = 2; i >= -6; i -= 0.5) {
    const angle = (2 * Math.PI * i) / COUNT;
    at = continueOn(circle, at, 110 * Math.cos(angle), 110 * Math.sin(angle), true);
    expect(at).toBeCloseTo(i, 0);
  }
  expect(at).toBeLessThan(-5);
});

test("an open line ends where it ends", () => {
  expect(continueOn(circle.slice(0, 25), 20, -300, -20, false)).toBe(24);
});

test("where a line crosses itself the place stays on its branch", () => {
  let at = 8;
  for (let i = 8; i <= 16; i += 0.25) {
    const angle = (2 * Math.PI * i) / COUNT;
    at = continueOn(eight, at, 150 * Math.cos(angle), 60 * Math.sin(2 * angle) + 1, true);
    expect(Math.abs(at - i)).toBeLessThan(0.5);
  }
});

test("a pointer far from the line finds its place again", () => {
  expect(continueOn(circle, 0, 0, 300, true)).toBeCloseTo(12, 0);
});

test("a movement goes along a line or across it", () => {
  expect(goesAlong(circle, 0, 1, 5, true)).toBe(true); // at the right end it runs up and down
  expect(goesAlong(circle, 0, 5, 1, true)).toBe(false);
  const still = circle.map(() => ({ x: 0, y: 0, depth: 1 }));
  expect(goesAlong(still, 0, 5, 1, true)).toBe(false);
});

test("indices of a line are frames, also over the seam of a period that is no whole number", () => {
  const period = 11.6;
  const last = samplesOf(24, 2, period); // samples at 0 to 11.5, then the first again
  expect(last).toBe(24);
  for (const frame of [0, 3.25, 11.5, 11.55])
    expect(frameAlong(indexAt(frame, last, 2, period), last, 2, period)).toBeCloseTo(frame);
  expect(frameAlong(last, last, 2, period)).toBeCloseTo(period);
  expect(frameAlong(-2, last, 2, period)).toBeCloseTo(-0.6);
  expect(frameAlong(7, 9, 2, 0)).toBe(3.5);
});
