import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document, ClientMessage } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const said: ClientMessage[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  say: (word: ClientMessage) => said.push(word),
}));
const { cast, inStep, story } = await import("./document");
const view = await import("./view");
const { found, keeping, leaveOut, plantsHere, startPlants } = await import("./plants");

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
const told = (revision: number) =>
  ({ revision, takes: { biped: [take] }, point_constraints: [] }) as unknown as Document;

beforeEach(() => {
  cast.value = { rigs: [{ name: "biped", prop: false }] } as unknown as SceneInfo;
  [story.value, inStep.value] = [told(1), true];
  [view.character.value, view.take.value, view.tool.value] = ["biped", "walk", "spacetime"];
  view.options.value = { spacetime: { find_plants: true, heels: false } };
  found.value = {
    type: "Footplants",
    arrays: [],
    character: "biped",
    take: "walk",
    footplants: [{ point: toes, start: 0.5, end: 1 }],
  };
});

test("plants are shown with the tool that finds them, of the take they are of", () => {
  expect(plantsHere()).toMatchObject([
    { kind: "plant", index: 0, point: toes, start: 0.5, end: 1 },
  ]);
  view.options.value = { spacetime: { find_plants: false } };
  expect(plantsHere()).toEqual([]);
  view.options.value = { spacetime: { find_plants: true } };
  view.tool.value = "pose";
  expect(plantsHere()).toEqual([]);
  [view.tool.value, view.take.value] = ["spacetime", "run"];
  expect(plantsHere()).toEqual([]);
});

test("a plant that has become a contact is not shown twice until the server says so", () => {
  const wish = { kind: "contact", index: 0, point: { ...toes }, start: 0.4, end: 0.9, take: "" };
  const withWish = (...wishes: object[]) =>
    ({ ...told(2), point_constraints: wishes }) as unknown as Document;
  story.value = withWish(wish);
  expect(plantsHere()).toEqual([]);
  for (const other of [
    { kind: "pin" },
    { take: "run" },
    { end: 0.45 },
    { point: { ...toes, joint: "Heel" } },
  ]) {
    story.value = withWish({ ...wish, ...other });
    expect(plantsHere()).toHaveLength(1);
  }
  story.value = told(3);
  expect(plantsHere()).toHaveLength(1);
});

test("they are asked for again when the motion may have changed, and not otherwise", () => {
  startPlants();
  expect(said).toEqual([
    { type: "RequestFootplants", character: "biped", take: "walk", include_heels: false },
  ]);
  view.frame.value = 12;
  expect(said).toHaveLength(1);
  story.value = told(2);
  expect(said).toHaveLength(2);
  view.options.value = { spacetime: { find_plants: true, heels: true } };
  expect(said.at(-1)).toMatchObject({ type: "RequestFootplants", include_heels: true });
});

test("a change of one keeps all, by where it starts and not by its place in a list", () => {
  expect(keeping()).toEqual({
    change: "AcceptFootplants",
    character: "biped",
    take: "walk",
    include_heels: false,
  });
  leaveOut(plantsHere()[0]!);
  expect(said.at(-1)).toMatchObject({
    type: "ApplyChange",
    change: { change: "AcceptFootplants", point: toes, was: 0.5, without: true },
  });
});
