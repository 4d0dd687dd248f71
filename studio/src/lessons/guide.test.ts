import { beforeEach, expect, test, vi } from "vitest";

vi.hoisted(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} }));
vi.mock("../panels/files", () => ({ leave: (then: (discard: boolean) => void) => then(true) }));
vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return { line: signal("open"), send: () => true };
});

import {
  sceneInfo,
  curves,
  previews,
  pointKey,
  documentState,
  type MotionCurve,
} from "../state/document";
import { interaction } from "../state/interaction";
import { character, frame, playing, points, take, tool } from "../state/view";
import type { SceneInfo, Document, PointRef } from "../wire/messages";
import { ARC } from "./arc";
import { begin, finished, going, hintNow, leaveLesson, startGuide } from "./guide";

const hand: PointRef = { joint: "RightHand", offset: [0, 0, 0], character: "biped" };

function give(done: string[], undone: string[], height: number): void {
  const info = {
    revision: done.length,
    name: "biped:walk",
    path: null,
    saved: true,
    takes: { biped: [] },
    constraints: [],
    found_takes: {},
    roles: {},
    ground: [],
    recordings: [],
    activities: [],
    poses: [],
    flow: null,
    sound: null,
    warnings: [],
  };
  const still: MotionCurve = {
    character: "biped",
    take: "walk",
    point: hand,
    perFrame: 1,
    positions: new Float32Array([0, 0, 0, 0, height, 0, 1, 0, 0]),
    orientations: new Float32Array(),
    speeds: new Float32Array(),
    keys: [0, 2],
  };
  curves.value = new Map([[pointKey(hand), { still, live: null }]]);
  documentState.value = { type: "Document", arrays: [], done, undone, ...info } as Document;
}

beforeEach(() => {
  leaveLesson();
  previews.value = new Map();
  interaction.value = null;
  character.value = "biped";
  take.value = "walk";
  tool.value = "pose";
  playing.value = true;
  sceneInfo.value = {
    type: "SceneInfo",
    arrays: [],
    model: "",
    scale: 1,
    unit: "m",
    rigs: [{ name: "biped", joints: ["Hips", "RightHand"] }],
  } as unknown as SceneInfo;
  give([], [], 0);
});

startGuide();

test("a lesson is led to its end by what the document becomes", () => {
  begin(ARC);
  expect(going.value?.start).not.toBeNull();
  expect([tool.value, playing.value, frame.value]).toEqual(["tangent", false, 2]);
  expect(points.value).toEqual([hand]);
  give(["Drag"], [], 0.03);
  expect(hintNow()).toContain("3.0 cm");
  give(["Drag", "Drag"], [], 0.08);
  expect(going.value?.step).toBe(1);
  give(["Drag"], ["Drag"], 0.03);
  expect(going.value?.step).toBe(1);
  give([], ["Drag", "Drag"], 0);
  expect(going.value?.step).toBe(2);
  expect(going.value?.start).not.toBeNull();
  give(["Drag"], [], 0.09);
  expect(going.value?.step).toBe(3);
  expect(finished.value).toContain("arc");
});

test("nothing is checked during an interaction", () => {
  begin(ARC);
  interaction.value = { id: 1, tool: "tangent", point: hand, time: 0, target: null };
  give(["Drag"], [], 0.2);
  expect(going.value?.step).toBe(0);
  interaction.value = null;
  expect(going.value?.step).toBe(1);
});

test("another document ends nothing: the lesson opens its own first", () => {
  documentState.value = { ...documentState.peek(), name: "dance.bvh" } as Document;
  begin(ARC);
  expect(going.value).toBeNull();
  give([], [], 0);
  expect(going.value?.step).toBe(0);
});
