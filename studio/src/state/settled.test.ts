import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document, Footplants } from "../wire/messages";

vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return { line: signal("open"), send: () => true };
});
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });

const doc = await import("./document");
const view = await import("./view");
const { registerTraits } = await import("./toolTraits");
registerTraits("planter", {
  footplantOptions: { detect: "detect", heels: "heels" },
  solvesConstraints: true,
});
const { interaction } = await import("./interaction");
const { startFootplants, receiveFootplants } = await import("./footplants");
const { isUpToDate } = await import("./settled");

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
const info = (revision: number) =>
  ({ revision, takes: { biped: [take] }, constraints: [] }) as unknown as Document;
const curve = { still: { take: "walk" }, live: null } as unknown as { still: never; live: null };

startFootplants();
beforeEach(() => {
  doc.sceneInfo.value = { rigs: [{ name: "biped", prop: false }] } as unknown as SceneInfo;
  [doc.documentState.value, doc.inStep.value] = [info(1), true];
  [view.character.value, view.take.value, view.tool.value, view.frame.value] = [
    "biped",
    "walk",
    "other",
    0,
  ];
  view.options.value = { planter: { detect: true, heels: false } };
  view.points.value = [hand];
  doc.keys.value = new Map([[at, new Map()]]);
  doc.poses.value = new Map([[at, { width: 1, frames: [new Float32Array(1)] }]]);
  doc.curves.value = new Map([[doc.pointKey(hand), curve]]);
  [doc.livePoses.value, interaction.value] = [new Map(), null];
});

test("the page is up to date when keys, poses and curves are loaded", () => {
  expect(isUpToDate()).toBe(true);
  for (const missing of [doc.keys, doc.poses, doc.curves]) {
    const all = missing.value;
    missing.value = new Map();
    expect(isUpToDate()).toBe(false);
    (missing as { value: unknown }).value = all;
  }
  view.frame.value = 12;
  expect(isUpToDate()).toBe(false);
});

test("the page is not up to date during an interaction, or while its preview is shown", () => {
  interaction.value = { id: 1, tool: "other", point: hand, time: 0, target: null };
  expect(isUpToDate()).toBe(false);
  interaction.value = null;
  doc.livePoses.value = new Map([[at, new Map()]]);
  expect(isUpToDate()).toBe(false);
});

test("with a tool that detects footplants, they must have arrived since the last step", () => {
  const found = {
    type: "Footplants",
    character: "biped",
    take: "walk",
    footplants: [],
  } as unknown as Footplants;
  view.tool.value = "planter";
  expect(isUpToDate()).toBe(false);
  receiveFootplants({ ...found, take: "run" });
  expect(isUpToDate()).toBe(false);
  receiveFootplants(found);
  expect(isUpToDate()).toBe(true);
  doc.documentState.value = info(2);
  expect(isUpToDate()).toBe(false);
});
