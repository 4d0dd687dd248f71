import { beforeEach, expect, test } from "vitest";
import { mayEdit, maySay, refusals, viewOnly } from "./role";

beforeEach(() => {
  [viewOnly.value, refusals.value] = [false, 0];
});

test("whoever may edit may say everything", () => {
  expect(maySay({ type: "Undo" })).toBe(true);
  expect(mayEdit()).toBe(true);
  expect(refusals.value).toBe(0);
});

test("whoever may only look may ask, and nothing else", () => {
  viewOnly.value = true;
  expect(maySay({ type: "RequestKeys", character: "biped", take: "walk" })).toBe(true);
  expect(maySay({ type: "Subscribe", character: "biped", take: "walk", points: [] })).toBe(true);
  expect(refusals.value).toBe(0);
  expect(maySay({ type: "Undo" })).toBe(false);
  expect(maySay({ type: "ListFolder" })).toBe(false);
  expect(mayEdit()).toBe(false);
  expect(refusals.value).toBe(3);
});
