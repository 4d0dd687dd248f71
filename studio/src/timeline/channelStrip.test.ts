import { beforeEach, expect, test, vi } from "vitest";
import type { Document, SceneInfo, Welcome } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
vi.stubGlobal("document", { documentElement: {} });
vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: () => "" }));
const doc = await import("../state/document");
const view = await import("../state/view");
const { keysWithin, samples, strip } = await import("./channelStrip");

const HOLD = ["hold", "hold"] as ["hold", "hold"];

/** Straight lines between keys. */
function keyed(...pairs: [number, number][]) {
  const rows = pairs.flatMap(([time, value]) => [time, value, 0, 0, 0, 0, 0, 0, 1]);
  return { rows: new Float32Array(rows), beyond: HOLD };
}

beforeEach(() => {
  doc.welcome.value = {
    tools: [{ name: "cycle", label: "", help: "", gestures: ["drag"], options: [] }],
  } as unknown as Welcome;
  doc.sceneInfo.value = {
    model: "m",
    rigs: [
      {
        name: "bird",
        joints: ["Head", "Jaw"],
        parents: [-1, 0],
        channels: [
          { joint: 0, kind: "translate_x", label: "" },
          { joint: 1, kind: "rotate_x", label: "" },
          { joint: 0, kind: "weight", label: "smile" },
        ],
      },
    ],
  } as unknown as SceneInfo;
  doc.documentState.value = {
    takes: {
      bird: [{ name: "sing", duration: 1, rate: 24, loops: true, keyed: true, layers: [] }],
    },
  } as unknown as Document;
  [view.character.value, view.take.value, view.tool.value] = ["bird", "sing", "cycle"];
  view.points.value = [];
  view.chosenChannels.value = new Set();
  const curves = new Map([0, 1, 2].map((c) => [c, keyed([0, 0], [0.5, c], [1, 0])]));
  doc.keys.value = new Map([[doc.takeName("bird", "sing"), curves]]);
});

test("chosen channels are on the strip by their full names, translations are not", () => {
  expect(strip.value).toBeNull();
  view.chosenChannels.value = new Set([0, 1]);
  expect(strip.value?.curves.map((each) => each.path)).toEqual(["Jaw.rotate.x"]);
  expect(strip.value?.frames).toBe(24);
  view.tool.value = "other";
  expect(strip.value).toBeNull();
});

test("without a choice a selected joint shows its weights, from 0 to 1 at least", () => {
  view.points.value = [{ joint: "Head", character: "bird" }];
  expect(strip.value?.curves.map((each) => each.path)).toEqual(["Head.weight.smile"]);
  expect(strip.value!.low).toBeLessThan(0);
  expect(strip.value!.high).toBeGreaterThan(2);
});

test("samples and keys span one period", () => {
  const curve = keyed([0, 0], [0.5, 2], [1, 0], [2, 5]);
  const values = samples(curve, 24);
  expect(values).toHaveLength(97);
  expect(values[48]).toBeCloseTo(2);
  expect(keysWithin(curve, 24).map(([at]) => at)).toEqual([0, 12, 24]);
});
