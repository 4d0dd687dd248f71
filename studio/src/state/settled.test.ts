import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document, Footplants } from "../wire/messages";

vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return { line: signal("open"), say: () => true };
});
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });

const doc = await import("./document");
const view = await import("./view");
const { held } = await import("./hands");
const { startPlants, tellPlants } = await import("./plants");
const { isSettled } = await import("./settled");

const take = {
  name: "walk",
  rate: 24,
  duration: 1,
  keyed: true,
  loops: false,
  keys: 2,
  layers: [],
};
const hand = { joint: "Hand", offset: [0, 0, 0] as [number, number, number], character: "biped" };
const at = doc.takeName("biped", "walk");
const told = (revision: number) =>
  ({ revision, takes: { biped: [take] }, point_constraints: [] }) as unknown as Document;
const curve = { still: { take: "walk" }, live: null } as unknown as { still: never; live: null };

startPlants();
beforeEach(() => {
  doc.cast.value = { rigs: [{ name: "biped", prop: false }] } as unknown as SceneInfo;
  [doc.story.value, doc.inStep.value] = [told(1), true];
  [view.character.value, view.take.value, view.tool.value, view.frame.value] = [
    "biped",
    "walk",
    "tangent",
    0,
  ];
  view.options.value = { spacetime: { find_plants: true, heels: false } };
  view.points.value = [hand];
  doc.keys.value = new Map([[at, new Map()]]);
  doc.poses.value = new Map([[at, { width: 1, frames: [new Float32Array(1)] }]]);
  doc.curves.value = new Map([[doc.spotName(hand), curve]]);
  [doc.livePoses.value, held.value] = [new Map(), null];
});

test("the page is settled when keys, poses and curves were told", () => {
  expect(isSettled()).toBe(true);
  for (const missing of [doc.keys, doc.poses, doc.curves]) {
    const all = missing.value;
    missing.value = new Map();
    expect(isSettled()).toBe(false);
    (missing as { value: unknown }).value = all;
  }
  view.frame.value = 12;
  expect(isSettled()).toBe(false);
});

test("a hand that holds, or whose try is still shown, is not settled", () => {
  held.value = { hand: 1, tool: "tangent", point: hand, time: 0, target: null };
  expect(isSettled()).toBe(false);
  held.value = null;
  doc.livePoses.value = new Map([[at, new Map()]]);
  expect(isSettled()).toBe(false);
});

test("with the tool for whole motions, footplants must have been looked for since the last step", () => {
  const found = {
    type: "Footplants",
    character: "biped",
    take: "walk",
    footplants: [],
  } as unknown as Footplants;
  view.tool.value = "spacetime";
  expect(isSettled()).toBe(false);
  tellPlants({ ...found, take: "run" });
  expect(isSettled()).toBe(false);
  tellPlants(found);
  expect(isSettled()).toBe(true);
  doc.story.value = told(2);
  expect(isSettled()).toBe(false);
});
