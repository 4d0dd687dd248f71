import { expect, test } from "vitest";
import fixture from "../../fixtures/curves.json?raw";
import type { ExtrapolationType } from "../wire/messages";
import { keyCount, timeAt, valueAt, type Keyed, type Pen } from "./curve";
import { strokeBeyond, strokeDense, strokeKeyed } from "./strokes";

interface Fixture {
  beyond: ExtrapolationType;
  rows: number[][];
  times: number[];
  values: number[];
}

// made by the library itself: see studio/fixtures/curves.py
const info = JSON.parse(fixture) as Fixture[];

function curveOf(each: Fixture): Keyed {
  return { rows: new Float32Array(each.rows.flat()), beyond: [each.beyond, each.beyond] };
}

/** A pen that notes points on what it draws. */
function sampling(points: [number, number][]): Pen {
  let at: [number, number] = [0, 0];
  const line = (time: number, value: number) => {
    for (let i = 1; i <= 20; i++)
      points.push([at[0] + ((time - at[0]) * i) / 20, at[1] + ((value - at[1]) * i) / 20]);
    at = [time, value];
  };
  return {
    moveTo: (time, value) => (at = [time, value]),
    lineTo: line,
    bezierTo(t1, v1, t2, v2, time, value) {
      const [t0, v0] = at;
      for (let i = 1; i <= 20; i++) {
        const u = i / 20;
        const w = [(1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u * u * (1 - u), u ** 3] as const;
        points.push([
          w[0] * t0 + w[1] * t1 + w[2] * t2 + w[3] * time,
          w[0] * v0 + w[1] * v1 + w[2] * v2 + w[3] * value,
        ]);
      }
      at = [time, value];
    },
  };
}

test("values are those of the library, inside and beyond the keys", () => {
  expect(info.length).toBe(15);
  for (const each of info) {
    const curve = curveOf(each);
    each.times.forEach((time, i) => expect(valueAt(curve, time)).toBeCloseTo(each.values[i]!, 7));
  }
});

test("every point that is drawn lies on the curve", () => {
  for (const each of info) {
    const curve = curveOf(each);
    const points: [number, number][] = [];
    const first = timeAt(curve, 0);
    const last = timeAt(curve, keyCount(curve) - 1);
    strokeKeyed(curve, first, last, sampling(points));
    strokeBeyond(curve, 0, first - 3, last, sampling(points));
    strokeBeyond(curve, 1, first, last + 3, sampling(points));
    expect(points.length).toBeGreaterThan(20);
    // a step is drawn as an upright line: there any value between its two is on the curve
    const jumps = (time: number) => {
      const near = [-1e-5, 0, 1e-5].map((off) => valueAt(curve, time + off));
      return Math.max(...near) - Math.min(...near) > 0.01;
    };
    for (const [time, value] of points)
      if (!jumps(time))
        expect(Math.abs(valueAt(curve, time) - value), each.beyond).toBeLessThan(1e-4);
  }
});

test("only what is in view is drawn", () => {
  const curve = curveOf(info[2]!);
  const points: [number, number][] = [];
  strokeKeyed(curve, timeAt(curve, 2) + 0.01, timeAt(curve, 3) - 0.01, sampling(points));
  expect(points).toHaveLength(20);
  strokeBeyond(curve, 0, timeAt(curve, 1), timeAt(curve, 2), sampling(points));
  expect(points).toHaveLength(20);
});

test("keys closer than a pixel keep their lowest and highest value", () => {
  const rows = new Float32Array(9 * 1000);
  for (let i = 0; i < 1000; i++) rows.set([i / 1000, i % 2 ? -i : i], 9 * i);
  const seen: number[] = [];
  const note = (_: number, value: number) => void seen.push(value);
  strokeDense({ rows, beyond: ["hold", "hold"] }, 0, 1, 0.01, {
    moveTo: note,
    lineTo: note,
    bezierTo: () => {},
  });
  expect(Math.max(...seen)).toBe(998);
  expect(Math.min(...seen)).toBe(-999);
  expect(seen.length).toBeLessThan(220);
});
