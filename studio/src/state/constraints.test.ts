import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document, ClientMessage } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const said: ClientMessage[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  say: (word: ClientMessage) => said.push(word),
}));

const { cast, inStep, story } = await import("./document");
const { found, tellPlants } = await import("./plants");
const view = await import("./view");
const { applyConstraints, canApply } = await import("./constraints");

type Wished = { of: string; take?: string; kind?: "pin" };

function taken(name: string) {
  return { name, rate: 24, duration: 2, keyed: true, loops: false, keys: 0, layers: [] };
}

/** Two characters and a box; who is wished something of, in which take. */
function scene(
  shown: string,
  wished: Wished[],
  takes: Record<string, string[]> = { A: ["walk", "run"], B: ["walk"] },
): void {
  cast.value = {
    rigs: ["A", "B", "Box"].map((name) => ({ name, prop: name === "Box" })),
  } as unknown as SceneInfo;
  const constraints = wished
    .filter((each) => !each.kind)
    .map(({ of, take = "" }, index) => ({ index, character: of, take, name: "x", constraint: {} }));
  const wishes = wished
    .filter((each) => each.kind)
    .map(({ of, take = "", kind }, index) => ({
      index,
      kind,
      take,
      point: { joint: "Head", character: of },
    }));
  const told = Object.fromEntries(
    Object.entries(takes).map(([name, own]) => [name, own.map(taken)]),
  );
  story.value = {
    revision: 1,
    takes: told,
    point_constraints: wishes,
    constraints,
  } as unknown as Document;
  inStep.value = true;
  [view.character.value, view.take.value, view.tool.value] = [shown, "walk", "spacetime"];
}

function asked(): [string, string] | null {
  said.length = 0;
  applyConstraints();
  const word = said[0];
  return word?.type === "ApplyChange" && word.change.change === "SolveConstraints"
    ? [word.change.character, word.change.take]
    : null;
}

beforeEach(() => {
  found.value = null;
});

test("the shown character is settled where something is wished of it", () => {
  scene("A", [{ of: "B" }, { of: "A", take: "walk" }]);
  expect(canApply()).toBe(true);
  expect(asked()).toEqual(["A", "walk"]);
});

test("footplants that are found in what is shown are wished of it", () => {
  scene("A", [{ of: "B" }]);
  tellPlants({
    character: "A",
    take: "walk",
    footplants: [{ point: { joint: "LeftFoot" }, start: 0, end: 1 }],
  } as never);
  expect(asked()).toEqual(["A", "walk"]);
});

test("where nothing is wished of the shown character, the one that is wished something of is settled", () => {
  scene("A", [{ of: "B", take: "walk" }]);
  expect(asked()).toEqual(["B", "walk"]);
  scene("A", [{ of: "B", kind: "pin" }]);
  expect(asked()).toEqual(["B", "walk"]);
  scene("Box", [{ of: "B" }]);
  expect(asked()).toEqual(["B", "walk"]);
});

test("wishes of another take, or of a thing, are no reason to settle anything", () => {
  scene("A", [{ of: "A", take: "run" }, { of: "Box" }]);
  expect(canApply()).toBe(false);
  expect(asked()).toBe(null);
});

test("of another character that lacks the shown take, wishes of its first one count", () => {
  scene("A", [{ of: "B", take: "jump" }], { A: ["walk"], B: ["jump", "walk2"] });
  expect(asked()).toEqual(["B", "jump"]);
});
