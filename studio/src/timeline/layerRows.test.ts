import { expect, test, vi } from "vitest";

vi.hoisted(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} }));

import { columnsOf } from "./columns";
import { hitDope, type DopeView } from "./dopeHit";
import { laneOf } from "./layerDraw";
import { barsOf, layerRows } from "./layerRows";
import { LABELS, ROW, rowTop } from "./layout";

const layer = (name: string, start: number, end: number) => ({
  name,
  start,
  end,
  weight: 1,
  muted: false,
});
const two = [layer("wider", 0, 2), layer("lower", 1, 3)];

function view(layers: readonly ReturnType<typeof layer>[], open: boolean | null = null): DopeView {
  const rows = layerRows({ layers, open });
  const summary = {
    id: "summary",
    kind: "summary" as const,
    label: "",
    depth: 0,
    joint: -1,
    channels: [],
    open: null,
    bars: [],
  };
  return {
    rows: [summary, ...rows],
    columns: () => columnsOf([], new Map()),
    axis: { start: 0, perFrame: 10 },
    rate: 24,
    scroll: 0,
  };
}

test("few layers have a row each, the top one first; many share one until they are opened", () => {
  expect(layerRows({ layers: [], open: null })).toEqual([]);
  expect(layerRows({ layers: two, open: null }).map((row) => row.label)).toEqual([
    "2 layers",
    "lower",
    "wider",
  ]);
  expect(layerRows({ layers: two.slice(0, 1), open: null }).map((row) => row.label)).toEqual([
    "wider",
  ]);
  const many = Array.from({ length: 30 }, (_, i) => layer(`edit ${i}`, 10 * i, 10 * i + 6));
  const [only, ...others] = layerRows({ layers: many, open: null });
  expect(others).toEqual([]);
  expect(only?.layers).toHaveLength(30);
  expect(layerRows({ layers: many, open: true })).toHaveLength(31);
  expect(layerRows({ layers: two, open: false })).toHaveLength(1);
});

test("layers of different times share a lane, one over another lies above it", () => {
  const bars = barsOf([layer("a", 0, 2), layer("b", 4, 6), layer("c", 1, 5), layer("d", 7, 9)]);
  expect(bars.map((bar) => bar.lane)).toEqual([0, 0, 1, 0]);
  expect(bars[0]?.lanes).toBe(2);
});

test("bars that share a row stay inside it, however many lie on each other", () => {
  for (const count of [1, 3, 40]) {
    for (const bar of barsOf(Array.from({ length: count }, () => layer("x", 0, 1)))) {
      const [top, height] = laneOf(bar, true);
      expect(top).toBeGreaterThanOrEqual(2);
      expect(top + height).toBeLessThanOrEqual(ROW);
      expect(height).toBeGreaterThanOrEqual(2);
    }
  }
});

test("a layer is met by its bar, its name or its eye", () => {
  const listed = view(two);
  const y = rowTop(2, 0) + ROW / 2; // "lower"
  expect(hitDope(listed, LABELS + 24 * 10 * 2, y)).toMatchObject({
    part: "layer",
    layer: { index: 1 },
  });
  expect(hitDope(listed, LABELS + 24 * 10 * 0.5, y)).toMatchObject({ part: "empty" });
  expect(hitDope(listed, 36, y)).toMatchObject({ part: "eye", layer: { name: "lower" } });
  expect(hitDope(listed, 90, y)).toMatchObject({ part: "layer", layer: { name: "lower" } });
});

test("where layers share a row the nearest lane is met", () => {
  const folded = view(two, false);
  const at = (lane: number) => {
    const [top, height] = laneOf({ ...two[0]!, index: 0, lane, lanes: 2 }, true);
    return rowTop(1, 0) + top + height / 2;
  };
  expect(hitDope(folded, LABELS + 24 * 10 * 1.5, at(0))).toMatchObject({
    layer: { name: "wider" },
  });
  expect(hitDope(folded, LABELS + 24 * 10 * 1.5, at(1))).toMatchObject({
    layer: { name: "lower" },
  });
});
