import { expect, test } from "vitest";
import type { ConstraintInfo, RigInfo } from "../wire/messages";
import type { PointConstraintInfo } from "../state/pinsAndContacts";
import { columnFrom, columnNear, columnsOf, keysIn, RUN } from "./columns";
import { hierarchy, lanes, rowsOf, type RowsInput } from "./rows";

function rig(): RigInfo {
  const channel = (joint: number, kind: string, label = "") => ({
    joint,
    kind,
    label,
    low: null,
    high: null,
    stiffness: 1,
  });
  return {
    name: "biped",
    prop: false,
    joints: ["Hips", "LeftLeg", "RightLeg", "LeftFoot"],
    parents: [-1, 0, 0, 1],
    analysis: [],
    root_set: false,
    nodes: [0, 1, 2, 3],
    channels: [
      channel(0, "translate_x"),
      channel(0, "translate_y"),
      channel(0, "rotate_x"),
      channel(1, "rotate_x"),
      channel(2, "rotate_x"),
      channel(3, "rotate_x"),
      channel(3, "weight", "smile"),
    ],
    stride: 7,
    weights: [],
    carriers: [],
    shapes: [],
  };
}

function pointConstraint(
  kind: "pin" | "contact",
  joint: string,
  start: number,
  end: number,
  index = 0,
): PointConstraintInfo {
  return {
    kind,
    index,
    name: joint,
    point: { joint },
    start,
    end,
    position: true,
    orientation: false,
    relative_to: null,
    take: "",
  };
}

function input(more: Partial<RowsInput> = {}): RowsInput {
  return {
    rig: rig(),
    keyed: new Set([0, 1, 2, 3, 5, 6]),
    bars: [],
    open: new Set(),
    chosen: new Set(),
    only: false,
    layers: { layers: [], open: null },
    sections: [],
    events: [],
    proposals: [],
    constraints: [],
    ...more,
  };
}

const labels = (more?: Partial<RowsInput>) => rowsOf(input(more)).map((row) => row.label);

test("joints come in the order of the hierarchy, only those with keys", () => {
  expect(hierarchy([-1, 0, 0, 1])).toEqual([0, 1, 3, 2]);
  expect(labels()).toEqual(["All keys", "Hips", "LeftLeg", "LeftFoot"]);
});

test("sections have a row of their own, under the summary", () => {
  const sections = [
    { name: "locomotion", start: 0, end: 1 },
    { name: "jump", start: 1, end: 1.5 },
  ];
  expect(labels({ sections }).slice(0, 2)).toEqual(["All keys", "Sections"]);
});

test("joints open into groups, groups into channels", () => {
  const open = new Set(["joint 0", "joint 0 translate"]);
  expect(labels({ open }).slice(0, 6)).toEqual([
    "All keys",
    "Hips",
    "translate",
    "x",
    "y",
    "rotate",
  ]);
  expect(labels({ open: new Set(["joint 3", "joint 3 weight"]) })).toContain("smile");
});

test("the selection is shown first, or alone", () => {
  expect(labels({ chosen: new Set([3]) })).toEqual(["All keys", "Hips", "LeftLeg", "LeftFoot"]);
  expect(labels({ chosen: new Set([3]), only: true })).toEqual(["All keys", "LeftFoot"]);
  expect(rowsOf(input({ chosen: new Set([3]), only: true }))[0]?.channels).toEqual([5, 6]);
});

test("pins and contacts have rows under their joint, also one without keys", () => {
  const bars = [
    pointConstraint("contact", "LeftFoot", 0, 1),
    pointConstraint("pin", "RightLeg", 0, 2),
  ];
  expect(labels({ bars })).toEqual([
    "All keys",
    "Hips",
    "LeftLeg",
    "LeftFoot",
    "contacts",
    "RightLeg",
    "pins",
  ]);
});

test("ranges that overlap lie in rows of their own", () => {
  const made = lanes([
    pointConstraint("pin", "Hips", 0, 2),
    pointConstraint("pin", "Hips", 1, 3, 1),
    pointConstraint("pin", "Hips", 2.5, 4, 2),
  ]);
  expect(made.map((lane) => lane.map((each) => each.index))).toEqual([[0, 2], [1]]);
});

function keyed(...keys: [time: number, value: number, after?: number, out?: number][]) {
  const rows = keys.flatMap(([time, value, after = 0, out = 0]) => [
    time,
    value,
    0,
    0,
    0.1,
    out,
    0,
    0,
    after,
  ]);
  return { rows: new Float32Array(rows), beyond: ["hold", "hold"] as ["hold", "hold"] };
}

test("keys of several channels at one moment stand in one column", () => {
  const keys = new Map([
    [4, keyed([0, 0], [1, 1], [2, 0])],
    [9, keyed([0.00001, 0], [1.5, 1])],
  ]);
  const columns = columnsOf([4, 9], keys);
  expect([...columns.times].map((time) => Math.round(10 * time) / 10)).toEqual([0, 1, 1.5, 2]);
  expect(keysIn(columns, 0)).toEqual([
    [4, 0],
    [9, 0],
  ]);
  expect(keysIn(columns, 2)).toEqual([[9, 1]]);
  expect(columnNear(columns, 1.4, 0.2)).toBe(2);
  expect(columnNear(columns, 1.25, 0.2)).toBe(-1);
  expect(columnFrom(columns, 1)).toBe(1);
});

test("a stretch is held only if all channels hold there", () => {
  const keys = new Map([
    [0, keyed([0, 5], [1, 5], [2, 5, 0, 0.3], [3, 5])],
    [1, keyed([0, 1], [1, 2], [2, 2])],
  ]);
  expect([...columnsOf([0], keys).run]).toEqual([RUN.constant, RUN.constant, RUN.none, RUN.none]);
  expect([...columnsOf([0, 1], keys).run]).toEqual([RUN.none, RUN.constant, RUN.none, RUN.none]);
});

test("linear and stepped segments are distinguished", () => {
  const keys = new Map([[0, keyed([0, 0, 1], [1, 1, 2], [2, 2, 0], [3, 3])]]);
  expect([...columnsOf([0], keys).run]).toEqual([RUN.linear, RUN.step, RUN.none, RUN.none]);
});

test("constraints lie over all joints, whatever is selected", () => {
  const info = {
    index: 0,
    title: "Balance",
    constraint: { kind: "balance", start: 0, end: 1, margin: 0.1 },
  } as unknown as ConstraintInfo;
  const labels = (more: Partial<RowsInput>) =>
    rowsOf(input({ constraints: [info], ...more })).map((row) => row.label);
  expect(labels({ chosen: new Set([1]) })).toEqual([
    "All keys",
    "Balance",
    "Hips",
    "LeftLeg",
    "LeftFoot",
  ]);
  expect(labels({})).toEqual(["All keys", "Balance", "Hips", "LeftLeg", "LeftFoot"]);
  expect(labels({ chosen: new Set([1]), only: true })).toEqual(["All keys", "Balance", "LeftLeg"]);
  expect(labels({ keyed: new Set() })).toEqual(["All keys", "Balance"]);
});

test("events lie under the summary, where there are some", () => {
  const events = [{ index: 0, name: "pour", time: 1, elements: ["cup"] }];
  expect(rowsOf(input({ events }))[1]).toMatchObject({ kind: "events", events });
  expect(rowsOf(input()).some(({ kind }) => kind === "events")).toBe(false);
});
