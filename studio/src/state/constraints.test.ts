import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document, ClientMessage } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const sent: ClientMessage[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  send: (message: ClientMessage) => sent.push(message),
}));

const { sceneInfo, inStep, documentState } = await import("./document");
const { found, receiveFootplants } = await import("./footplants");
const view = await import("./view");
const { registerTraits } = await import("./toolTraits");
registerTraits("planter", {
  footplantOptions: { detect: "detect", heels: "heels" },
  solvesConstraints: true,
});
const { applyConstraints, canApply } = await import("./constraints");

type Constrained = { of: string; take?: string; kind?: "pin" };

function taken(name: string) {
  return { name, rate: 24, duration: 2, keyed: true, loops: false, keys: 0, layers: [] };
}

/** Two characters and a box, with constraints by character and take. */
function scene(
  shown: string,
  constrained: Constrained[],
  takes: Record<string, string[]> = { A: ["walk", "run"], B: ["walk"] },
): void {
  sceneInfo.value = {
    rigs: ["A", "B", "Box"].map((name) => ({ name, prop: name === "Box" })),
  } as unknown as SceneInfo;
  const constraints = constrained.map(({ of, take = "", kind }, index) => ({
    index,
    character: of,
    take,
    name: "x",
    constraint: kind ? { kind, point: { joint: "Head", character: of } } : {},
  }));
  const info = Object.fromEntries(
    Object.entries(takes).map(([name, own]) => [name, own.map(taken)]),
  );
  documentState.value = {
    revision: 1,
    takes: info,
    constraints,
  } as unknown as Document;
  inStep.value = true;
  [view.character.value, view.take.value, view.tool.value] = [shown, "walk", "planter"];
}

function requested(): [string, string] | null {
  sent.length = 0;
  applyConstraints();
  const message = sent[0];
  return message?.type === "ApplyChange" && message.change.change === "SolveConstraints"
    ? [message.change.character, message.change.take]
    : null;
}

beforeEach(() => {
  found.value = null;
});

test("the shown character is solved where it has constraints", () => {
  scene("A", [{ of: "B" }, { of: "A", take: "walk" }]);
  expect(canApply()).toBe(true);
  expect(requested()).toEqual(["A", "walk"]);
});

test("detected footplants count as constraints of the shown character", () => {
  scene("A", [{ of: "B" }]);
  receiveFootplants({
    character: "A",
    take: "walk",
    footplants: [{ point: { joint: "LeftFoot" }, start: 0, end: 1 }],
  } as never);
  expect(requested()).toEqual(["A", "walk"]);
});

test("where the shown character has no constraints, the first one that has is solved", () => {
  scene("A", [{ of: "B", take: "walk" }]);
  expect(requested()).toEqual(["B", "walk"]);
  scene("A", [{ of: "B", kind: "pin" }]);
  expect(requested()).toEqual(["B", "walk"]);
  scene("Box", [{ of: "B" }]);
  expect(requested()).toEqual(["B", "walk"]);
});

test("constraints of another take, or of a prop, solve nothing", () => {
  scene("A", [{ of: "A", take: "run" }, { of: "Box" }]);
  expect(canApply()).toBe(false);
  expect(requested()).toBe(null);
});

test("for a character without the shown take, constraints of its first take count", () => {
  scene("A", [{ of: "B", take: "jump" }], { A: ["walk"], B: ["jump", "walk2"] });
  expect(requested()).toEqual(["B", "jump"]);
});
