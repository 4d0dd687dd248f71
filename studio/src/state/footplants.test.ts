import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document, ClientMessage } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const sent: ClientMessage[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  send: (message: ClientMessage) => sent.push(message),
}));
const { sceneInfo, inStep, documentState } = await import("./document");
const view = await import("./view");
const { registerTraits } = await import("./toolTraits");
registerTraits("planter", {
  footplantOptions: { detect: "detect", heels: "heels" },
  solvesConstraints: true,
});
const { found, acceptChange, rejectFootplant, footplantsHere, startFootplants } =
  await import("./footplants");

const take = {
  name: "walk",
  rate: 24,
  duration: 2,
  keyed: true,
  loops: false,
  keys: 0,
  layers: [],
};
const toes = { joint: "Toes", offset: [0, 0, 0] as [number, number, number], character: "biped" };
const info = (revision: number) =>
  ({ revision, takes: { biped: [take] }, constraints: [] }) as unknown as Document;

beforeEach(() => {
  sceneInfo.value = { rigs: [{ name: "biped", prop: false }] } as unknown as SceneInfo;
  [documentState.value, inStep.value] = [info(1), true];
  [view.character.value, view.take.value, view.tool.value] = ["biped", "walk", "planter"];
  view.options.value = { planter: { detect: true, heels: false } };
  found.value = {
    type: "Footplants",
    arrays: [],
    character: "biped",
    take: "walk",
    footplants: [{ point: toes, start: 0.5, end: 1 }],
  };
});

test("footplants are shown with the tool that detects them, in their take", () => {
  expect(footplantsHere()).toMatchObject([
    { kind: "footplant", index: 0, point: toes, start: 0.5, end: 1 },
  ]);
  view.options.value = { planter: { detect: false } };
  expect(footplantsHere()).toEqual([]);
  view.options.value = { planter: { detect: true } };
  view.tool.value = "other";
  expect(footplantsHere()).toEqual([]);
  [view.tool.value, view.take.value] = ["planter", "run"];
  expect(footplantsHere()).toEqual([]);
});

test("a footplant that has become a contact is not shown twice", () => {
  const pointConstraint = {
    kind: "contact",
    index: 0,
    point: { ...toes },
    start: 0.4,
    end: 0.9,
    take: "",
  };
  const withBar = (...pointConstraints: object[]) =>
    ({
      ...info(2),
      constraints: pointConstraints.map((each, index) => ({ index, ...each, constraint: each })),
    }) as unknown as Document;
  documentState.value = withBar(pointConstraint);
  expect(footplantsHere()).toEqual([]);
  for (const other of [
    { kind: "pin" },
    { take: "run" },
    { end: 0.45 },
    { point: { ...toes, joint: "Heel" } },
  ]) {
    documentState.value = withBar({ ...pointConstraint, ...other });
    expect(footplantsHere()).toHaveLength(1);
  }
  documentState.value = info(3);
  expect(footplantsHere()).toHaveLength(1);
});

test("they are requested again when the motion may have changed, and not otherwise", () => {
  startFootplants();
  expect(sent).toEqual([
    { type: "RequestFootplants", character: "biped", take: "walk", include_heels: false },
  ]);
  view.frame.value = 12;
  expect(sent).toHaveLength(1);
  documentState.value = info(2);
  expect(sent).toHaveLength(2);
  view.options.value = { planter: { detect: true, heels: true } };
  expect(sent.at(-1)).toMatchObject({ type: "RequestFootplants", include_heels: true });
});

test("a change of one keeps all, by where it starts and not by its place in a list", () => {
  expect(acceptChange()).toEqual({
    change: "AcceptFootplants",
    character: "biped",
    take: "walk",
    include_heels: false,
  });
  rejectFootplant(footplantsHere()[0]!);
  expect(sent.at(-1)).toMatchObject({
    type: "ApplyChange",
    change: { change: "AcceptFootplants", point: toes, was: 0.5, without: true },
  });
});
