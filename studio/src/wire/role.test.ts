import { beforeEach, expect, test } from "vitest";
import { mayEdit, maySend, refusals, viewOnly } from "./role";

beforeEach(() => {
  [viewOnly.value, refusals.value] = [false, 0];
});

test("an editor may send everything", () => {
  expect(maySend({ type: "Undo" })).toBe(true);
  expect(mayEdit()).toBe(true);
  expect(refusals.value).toBe(0);
});

test("whoever may only look may ask, and nothing else", () => {
  viewOnly.value = true;
  expect(maySend({ type: "RequestKeys", character: "biped", take: "walk" })).toBe(true);
  expect(maySend({ type: "Subscribe", character: "biped", take: "walk", points: [] })).toBe(true);
  expect(refusals.value).toBe(0);
  expect(maySend({ type: "Undo" })).toBe(false);
  expect(maySend({ type: "ListFolder" })).toBe(false);
  expect(mayEdit()).toBe(false);
  expect(refusals.value).toBe(3);
});
