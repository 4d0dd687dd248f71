import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });
});

import { stepsOf } from "./history";
import { offers } from "./recovered";
import { projectName, withEnding } from "./saveAs";

test("steps run from the original state over the present to what was undone", () => {
  expect(stepsOf(["Drag", "Pin"], ["Last", "Next"])).toEqual([
    { step: 0, label: "Original", undone: false },
    { step: 1, label: "Drag", undone: false },
    { step: 2, label: "Pin", undone: false },
    { step: 3, label: "Next", undone: true },
    { step: 4, label: "Last", undone: true },
  ]);
});

test("a project is named after the document", () => {
  expect(projectName("dance.bvh")).toBe("dance.arc.glb");
  expect(projectName("dance.arc.glb")).toBe("dance.arc.glb");
  expect(projectName("biped:walk")).toBe("biped-walk.arc.glb");
  expect(projectName("")).toBe("untitled.arc.glb");
});

test("a name without an ending becomes a project file", () => {
  expect(withEnding(" dance ")).toBe("dance.arc.glb");
  expect(withEnding("dance.glb")).toBe("dance.glb");
  expect(withEnding("take.2")).toBe("take.2.arc.glb");
});

test("a document is offered for recovery unless its steps were undone", () => {
  const left = (name: string, differs: boolean) => ({
    ...{ name, label: name, when: 0, damage: "" },
    ...{ recover: true, differs },
  });
  const [edited, undone] = [left("edited", true), left("undone", false)];
  expect(offers([undone, edited], [undone, edited])).toEqual([edited]);
  expect(offers([undone, edited], [undone])).toEqual([]);
});
