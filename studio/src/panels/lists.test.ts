import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });
});

import { nothing } from "lit-html";
import { recent, welcome } from "../state/document";
import { interaction } from "../state/interaction";
import type { Welcome } from "../wire/messages";
import { stepsOf } from "./history";
import { offers, recoveredBar } from "./recovered";
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

test("the offer to restore leaves the view once work begins, and comes again with another server", () => {
  const edited = { name: "a", label: "a", when: 0, damage: "", recover: true, differs: true };
  const greeting = () => ({ recent: [edited] }) as unknown as Welcome;
  [welcome.value, recent.value] = [greeting(), [edited]];
  expect(recoveredBar()).not.toBe(nothing);
  interaction.value = { id: 1, tool: "act", point: null, time: 0, target: null };
  interaction.value = null;
  expect(recoveredBar()).toBe(nothing);
  welcome.value = greeting();
  expect(recoveredBar()).not.toBe(nothing);
});
