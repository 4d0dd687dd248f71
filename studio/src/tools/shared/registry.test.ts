import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document, ToolInfo, Welcome } from "../../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { sceneInfo, documentState, welcome } = await import("../../state/document");
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

function stated(name: string, label: string, gestures: ToolInfo["gestures"]): ToolInfo {
  return { name, label, help: "", gestures, options: [] };
}

beforeEach(() => {
  welcome.value = {
    tools: [
      stated("tangent", "Motion curves", ["drag"]),
      stated("pose", "Pose", ["drag"]),
      stated("spacetime", "Spacetime edit", ["drag"]),
      stated("soft_body", "Soft bodies", ["stroke", "setting"]),
      stated("pull", "Pull", ["drag"]),
    ],
  } as unknown as Welcome;
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

test("a tool without a file has the label and gestures that the server states", () => {
  const { label, gestures, verbs, refusal } = toolOf("soft_body");
  expect([label, gestures, verbs]).toEqual(["Soft bodies", ["stroke", "setting"], []]);
  expect(refusal(hand, 0)).toBe(null);
  expect(hintOf("soft_body", hand)).toBe("Draw in the viewport");
  expect(toolOf("pull").verbs).toEqual(["move", "turn"]);
});

test("a file refines what the server states", () => {
  const { label, gestures, verbs, dragsCurves } = toolOf("tangent");
  expect([label, gestures]).toEqual(["Motion curves", ["drag"]]);
  expect([verbs, dragsCurves]).toEqual([["move", "turn", "time"], true]);
});

test("a tool that nobody names understands no gesture", () => {
  expect([toolOf("change").label, toolOf("change").gestures]).toEqual(["Change", []]);
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
