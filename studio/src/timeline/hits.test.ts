import { expect, test, vi } from "vitest";

vi.hoisted(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} }));

import type { PointConstraintInfo } from "../state/pinsAndContacts";
import { columnsOf } from "./columns";
import { hitDope, keysInBox, type DopeView } from "./dopeHit";
import { graphKeysInBox, handlePlace, hitGraph, placeOf, readAt, type GraphView } from "./graphHit";
import { LABELS, mostScroll, ROW, rowAt, rowsInView, rowTop, RULER } from "./layout";
import type { Row } from "./row";

function keyed(...keys: [number, number][]) {
  const rows = keys.flatMap(([time, value]) => [time, value, 0.2, 0.1, 0.2, 0.1, 0, 0, 0]);
  return { rows: new Float32Array(rows), beyond: ["hold", "hold"] as ["hold", "hold"] };
}

const keys = new Map([
  [0, keyed([0, 0], [1, 1], [2, 0])],
  [1, keyed([0, 3], [1.5, 2])],
]);

function row(
  kind: Row["kind"],
  id: string,
  channels: number[],
  bars: PointConstraintInfo[] = [],
): Row {
  const open = kind === "joint" ? false : null;
  return {
    id,
    kind,
    label: id,
    depth: kind === "channel" ? 2 : 0,
    joint: 0,
    channels,
    open,
    bars,
  };
}

const pin: PointConstraintInfo = {
  kind: "pin",
  index: 4,
  name: "Hips",
  point: { joint: "Hips" },
  start: 1,
  end: 2,
  position: true,
  orientation: false,
  relative_to: null,
  take: "",
};

const dope: DopeView = {
  rows: [
    row("summary", "all", [0, 1]),
    row("joint", "Hips", [0, 1]),
    row("channel", "x", [0]),
    row("bars", "pins", [], [pin]),
  ],
  columns: (each) => columnsOf(each.channels, keys),
  axis: { start: 0, perFrame: 10 },
  rate: 24,
  scroll: 0,
};

const at = (time: number, index: number): [number, number] => [
  LABELS + time * 240,
  rowTop(index, 0) + ROW / 2,
];

test("the summary stays while rows scroll under it", () => {
  expect(rowTop(0, 55)).toBe(RULER);
  expect(rowAt(RULER + 1, 9, 55)).toBe(0);
  expect(rowAt(rowTop(5, 55) + 1, 9, 55)).toBe(5);
  expect(rowAt(1000, 9, 0)).toBe(-1);
  expect(rowTop(300, mostScroll(301, 200)) + ROW).toBeLessThanOrEqual(200);
  const [first, last] = rowsInView(300, 500, 200);
  expect(last - first).toBeLessThan(12);
});

test("a key is hit within its reach, in its own row", () => {
  const [x, y] = at(1, 2);
  expect(hitDope(dope, x + 6, y)).toMatchObject({ part: "key", column: 1 });
  expect(hitDope(dope, x + 12, y)).toMatchObject({ part: "empty" });
  expect(hitDope(dope, at(1.5, 0)[0], at(1.5, 0)[1])).toMatchObject({ part: "key", column: 2 });
  expect(hitDope(dope, at(1.5, 2)[0], at(1.5, 2)[1])).toMatchObject({ part: "empty" });
});

test("bars are hit at their ends and in the middle", () => {
  const end = (time: number, off = 0) => hitDope(dope, at(time, 3)[0] + off, at(time, 3)[1]);
  expect(end(1, -5)).toMatchObject({ part: "bar", end: "start" });
  expect(end(1.5)).toMatchObject({ part: "bar", end: "middle" });
  expect(end(2, 3)).toMatchObject({ part: "bar", end: "end" });
  expect(end(0.5)).toMatchObject({ part: "empty" });
});

test("names open by their arrow", () => {
  expect(hitDope(dope, 10, at(0, 1)[1])).toMatchObject({ part: "name", arrow: true });
  expect(hitDope(dope, 60, at(0, 1)[1])).toMatchObject({ part: "name", arrow: false });
  expect(hitDope(dope, 10, at(0, 2)[1])).toMatchObject({ part: "name", arrow: false });
});

test("a box takes the keys of the rows it touches", () => {
  const [x0, y0] = at(0.5, 2);
  const [x1, y1] = at(2.5, 2);
  expect(keysInBox(dope, { x0, y0: y0 - 3, x1, y1: y1 + 3 })).toEqual([
    [0, 1],
    [0, 2],
  ]);
  expect(
    keysInBox(dope, { x0: x1, y0: at(0, 1)[1] + 1, x1: x0, y1: at(0, 1)[1] - 1 }),
  ).toHaveLength(3);
});

const graph: GraphView = {
  channels: [0, 1],
  keys,
  chosen: new Map([[0, new Set([1])]]),
  axis: { start: -2, perFrame: 10 },
  values: { top: 4, perUnit: 40 },
  rate: 24,
  lens: (channel) => (channel === 0 ? { scale: 2, shift: 0.5 } : { scale: 1, shift: 0 }),
};

test("a place in the graph is read as the key that stands there", () => {
  const [time, value] = readAt(graph, 0, ...placeOf(graph, 0, 1.25, -0.7));
  expect(time).toBeCloseTo(1.25, 9);
  expect(value).toBeCloseTo(-0.7, 9);
});

test("keys, handles of chosen keys and curves are hit", () => {
  const [x, y] = placeOf(graph, 0, 1, 1);
  expect(hitGraph(graph, x + 4, y)).toEqual({ part: "key", channel: 0, key: 1 });
  const out = handlePlace(graph, 0, 1, 1)!;
  expect(hitGraph(graph, out[0], out[1] + 3)).toEqual({
    part: "handle",
    channel: 0,
    key: 1,
    side: 1,
  });
  const other = handlePlace(graph, 0, 0, 1)!;
  expect(hitGraph(graph, ...other).part).not.toBe("handle");
  const [cx, cy] = placeOf(graph, 1, 3, 2);
  expect(hitGraph(graph, cx, cy + 3)).toEqual({ part: "curve", channel: 1 });
  expect(hitGraph(graph, cx, cy - 40)).toEqual({ part: "empty" });
});

test("a box in the graph takes keys by time and value", () => {
  const [x0, y0] = placeOf(graph, 1, -0.1, 3.1);
  const [x1, y1] = placeOf(graph, 1, 1.6, 1.9);
  expect(graphKeysInBox(graph, { x0, y0, x1, y1 })).toEqual([
    [0, 1],
    [1, 0],
    [1, 1],
  ]);
});

test("an event is met beside its flag, the nearer one of two", () => {
  const elements: string[] = [];
  const events = [
    { index: 0, name: "lift", time: 1, elements },
    { index: 1, name: "pour", time: 1.05, elements },
  ];
  const view = { ...dope, rows: [dope.rows[0]!, { ...row("events", "events", []), events }] };
  const y = rowTop(1, 0) + ROW / 2;
  const at = (time: number) => hitDope(view, LABELS + 10 * 24 * time, y);
  expect(at(1.01)).toMatchObject({ part: "event", event: { name: "lift" } });
  expect(at(1.04)).toMatchObject({ part: "event", event: { name: "pour" } });
  expect(at(1.5)).toMatchObject({ part: "empty" });
});
