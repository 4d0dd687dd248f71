import { beforeEach, expect, test } from "vitest";
import { mayEdit, maySay, refusals, viewOnly } from "./role";

beforeEach(() => {
  [viewOnly.value, refusals.value] = [false, 0];
});

test("whoever may edit may say everything", () => {
  expect(maySay({ say: "undo" })).toBe(true);
  expect(mayEdit()).toBe(true);
  expect(refusals.value).toBe(0);
});

test("whoever may only look may ask, and nothing else", () => {
  viewOnly.value = true;
  expect(maySay({ say: "askkeys", character: "biped", take: "walk" })).toBe(true);
  expect(maySay({ say: "show", character: "biped", take: "walk", points: [] })).toBe(true);
  expect(refusals.value).toBe(0);
  expect(maySay({ say: "undo" })).toBe(false);
  expect(maySay({ say: "listfolder" })).toBe(false);
  expect(mayEdit()).toBe(false);
  expect(refusals.value).toBe(3);
});
