import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { cast, story } = await import("../state/document");
const { found } = await import("../state/plants");
const view = await import("../state/view");
const { hintOf } = await import("./hints");

const take = {
  name: "walk",
  rate: 24,
  duration: 2,
  keyed: true,
  loops: false,
  keys: 9,
  layers: [] as unknown[],
};
const hand = { joint: "Hand", character: "biped" };
const foot = { joint: "Foot", offset: [0, 0, 0], character: "biped" };

function tell(wishes: unknown[], told = take): void {
  story.value = { takes: { biped: [told] }, point_constraints: wishes } as unknown as Document;
}

beforeEach(() => {
  cast.value = { model: "m", rigs: [{ name: "biped", prop: false }] } as unknown as SceneInfo;
  [view.character.value, view.take.value, view.tool.value, found.value] = [
    "biped",
    "walk",
    "spacetime",
    null,
  ];
  tell([]);
});

test("each tool says what it does", () => {
  expect(hintOf("tangent", hand)).toBe("Drag the curve");
  expect(hintOf("pose", hand)).toBe("Drag any point of the body");
  expect(hintOf("spacetime", hand)).toBe("Drag any point at any frame");
});

test("of a whole motion, footplants and what is held are named where there are some", () => {
  const contact = { kind: "contact", point: foot, start: 0, end: 1, take: "", relative_to: null };
  tell([contact]);
  expect(hintOf("spacetime", hand)).toBe("Drag any point at any frame or a footplant");
  tell([contact, { ...contact, relative_to: { joint: "Box", character: "Box" } }]);
  expect(hintOf("spacetime", hand)).toMatch(/, a footplant or what is held$/);
  tell([]);
  found.value = {
    type: "Footplants",
    character: "biped",
    take: "walk",
    footplants: [{ point: foot, start: 0, end: 1 }],
  } as never;
  expect(hintOf("spacetime", hand)).toContain("a footplant");
});

test("where a tool needs bare keys and there are none, the one that does not is named", () => {
  for (const other of [
    { ...take, keyed: false },
    { ...take, layers: [{ name: "a" }] },
  ]) {
    tell([], other);
    expect(hintOf("tangent", hand)).toContain("Whole motion");
    expect(hintOf("pose", hand)).toContain("Whole motion");
    expect(hintOf("spacetime", hand)).toContain("any point");
  }
});
