import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document } from "../../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { sceneInfo, documentState } = await import("../../state/document");
const { found } = await import("../../state/footplants");
const view = await import("../../state/view");
const { activateFor, hintOf, toolFor, toolOf } = await import("./registry");

const take = {
  name: "walk",
  rate: 24,
  duration: 2,
  keyed: true,
  baked: false,
  loops: false,
  keys: 9,
  layers: [] as unknown[],
};
const hand = { joint: "Hand", character: "biped" };
const foot = { joint: "Foot", offset: [0, 0, 0], character: "biped" };

function show(pointConstraints: unknown[], info = take): void {
  documentState.value = {
    takes: { biped: [info] },
    constraints: pointConstraints.map((constraint, index) => ({
      index,
      name: "",
      take: "",
      constraint,
    })),
  } as unknown as Document;
}

beforeEach(() => {
  sceneInfo.value = { model: "m", rigs: [{ name: "biped", prop: false }] } as unknown as SceneInfo;
  [view.character.value, view.take.value, view.tool.value, found.value] = [
    "biped",
    "walk",
    "spacetime",
    null,
  ];
  show([]);
});

test("each tool has a hint", () => {
  expect(hintOf("tangent", hand)).toBe("Drag the curve");
  expect(hintOf("pose", hand)).toBe("Drag any point of the body");
  expect(hintOf("spacetime", hand)).toBe("Drag any point at any frame");
});

test("the hint of the spacetime tool names footplants and held props where there are some", () => {
  const contact = { kind: "contact", point: foot, start: 0, end: 1, take: "", relative_to: null };
  show([contact]);
  expect(hintOf("spacetime", hand)).toBe("Drag any point at any frame or a footplant");
  show([contact, { ...contact, relative_to: { joint: "Box", character: "Box" } }]);
  expect(hintOf("spacetime", hand)).toMatch(/, a footplant or a held prop$/);
  show([]);
  found.value = {
    type: "Footplants",
    character: "biped",
    take: "walk",
    footplants: [{ point: foot, start: 0, end: 1 }],
  } as never;
  expect(hintOf("spacetime", hand)).toContain("a footplant");
});

test("where a tool cannot edit the take, the hint names one that can", () => {
  for (const other of [
    { ...take, keyed: false, baked: true },
    { ...take, layers: [{ name: "a" }] },
  ]) {
    show([], other);
    expect(hintOf("tangent", hand)).toContain("Spacetime edit");
    expect(hintOf("pose", hand)).toContain("Spacetime edit");
    expect(hintOf("spacetime", hand)).toContain("any point");
  }
});

test("a tool without a file has the label of its name and drags points", () => {
  const made = toolOf("soft_body");
  expect([made.label, made.gestures, made.refusal(hand, 0)]).toEqual(["Soft body", ["drag"], null]);
});

test("a verb that the active tool lacks goes to the tool that has it", () => {
  expect(toolFor("move").name).toBe("spacetime");
  expect(toolFor("time").name).toBe("tangent");
});

test("a document opens with the tool that can edit its take at once", () => {
  const opened = (info: object) => {
    activateFor({ ...take, ...info } as never);
    return view.tool.value;
  };
  const captured = { keyed: false, baked: true };
  view.tool.value = "tangent";
  expect(opened({})).toBe("tangent");
  expect(opened(captured)).toBe("spacetime");
  expect(opened({})).toBe("tangent"); // nobody chose the other
  expect(opened({ baked: true })).toBe("spacetime");
  expect(opened({ layers: [{ name: "a" }] })).toBe("spacetime");
});

test("a chosen tool stays when documents open, unless it cannot edit the take", () => {
  activateFor(take as never);
  view.tool.value = "pose";
  activateFor(take as never);
  expect(view.tool.value).toBe("pose");
  activateFor({ ...take, baked: true } as never); // a key on every frame: poses are blended in
  expect(view.tool.value).toBe("pose");
  activateFor({ ...take, keyed: false, baked: true } as never);
  expect(view.tool.value).toBe("spacetime");
});
