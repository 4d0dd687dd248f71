import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document } from "../../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { sceneInfo, documentState } = await import("../../state/document");
const view = await import("../../state/view");
const { spacingLimits, tool } = await import("../spacetime");
const range = tool.editRange!;

const take = {
  name: "walk",
  rate: 24,
  duration: 2,
  keyed: true,
  loops: false,
  keys: 0,
  layers: [],
};

beforeEach(() => {
  documentState.value = { takes: { biped: [take] } } as unknown as Document;
  [view.character.value, view.take.value, view.range.value] = ["biped", "walk", null];
  range.choose(null, null);
});

test("a range is sent in seconds and shown in frames", () => {
  range.choose(12, 36);
  expect(view.options.value["spacetime"]).toMatchObject({ start: 0.5, end: 1.5 });
  expect(range.chosen()).toEqual([12, 36]);
});

test("the shown frame becomes the start or the end, and drops an end beyond it", () => {
  view.frame.value = 20.3;
  range.fromHere();
  expect(range.chosen()[0]).toBeCloseTo(20);
  view.frame.value = 10;
  range.toHere();
  expect(range.chosen()).toEqual([null, 10]);
});

test("the playback range becomes the edit range; the whole take is no range", () => {
  view.range.value = [6, 30];
  range.asPlayed();
  expect(range.chosen()).toEqual([6, 30]);
  view.range.value = null;
  range.asPlayed();
  expect(range.chosen()).toEqual([null, null]);
});

test("a footplant is moved as a whole where only a part of the take is edited, unless it is very long", () => {
  expect(range.framesFor({ start: 0.5, end: 1 }, 18)).toBeUndefined();
  documentState.value = { takes: { biped: [{ ...take, duration: 60 }] } } as unknown as Document;
  expect(range.framesFor({ start: 10, end: 14 }, 250)).toEqual([168, 408]);
  expect(range.framesFor({ start: 1, end: 2 }, 30)).toEqual([0, 120]);
  expect(range.framesFor({ start: 0, end: 40 }, 480)).toEqual([408, 552]);
  range.choose(12, 36);
  expect(range.framesFor({ start: 10, end: 14 }, 250)).toBeUndefined();
});

test("a foot moves the footplant that holds it now, and no other", () => {
  const rig = { name: "biped", joints: ["Hips", "Foot", "Toes"], parents: [-1, 0, 1] };
  sceneInfo.value = { model: "m", rigs: [rig] } as unknown as SceneInfo;
  const point = { joint: "Toes", offset: [0, 0, 0], character: "biped" };
  const pointConstraint = {
    kind: "contact",
    point,
    start: 0.5,
    end: 1,
    relative_to: null,
    take: "walk",
  };
  documentState.value = {
    takes: { biped: [take] },
    constraints: [{ index: 0, name: "", take: "walk", constraint: pointConstraint }],
  } as unknown as Document;
  view.options.value = { spacetime: { drag_moves_footplant: true } };
  expect(tool.bringsFootplant!({ joint: "Foot", character: "biped" }, 18)).toBe(true);
  expect(tool.bringsFootplant!({ joint: "Foot", character: "biped" }, 4)).toBe(false);
  expect(tool.bringsFootplant!({ joint: "Hips", character: "biped" }, 18)).toBe(false);
  view.options.value = { spacetime: { drag_moves_footplant: false } };
  expect(tool.bringsFootplant!({ joint: "Foot", character: "biped" }, 18)).toBe(false);
});

test("a range is dropped with another take, not with another character of the same take", () => {
  sceneInfo.value = { model: "m", rigs: [] } as unknown as SceneInfo;
  range.dropWithTake();
  range.choose(12, 36);
  view.character.value = "box";
  expect(view.options.value["spacetime"]).toMatchObject({ start: 0.5, end: 1.5 });
  view.take.value = "run";
  expect(range.chosen()).toEqual([null, null]);
});

test("a drag outside the range is refused, with a button that resets the range", () => {
  range.choose(12, 36);
  expect(tool.refusal!({ joint: "Hips" }, 20)).toBeNull();
  const refusal = tool.refusal!({ joint: "Hips" }, 40);
  expect(refusal?.text).toContain("12–36");
  refusal?.does?.();
  expect(tool.refusal!({ joint: "Hips" }, 40)).toBeNull();
});

test("knots are never closer than two frames, nor wider than a fifth of the range", () => {
  expect(spacingLimits()).toEqual([2, 48 / 5]);
  range.choose(12, 36);
  expect(spacingLimits()[1]).toBeCloseTo(24 / 5);
  range.choose(12, 17);
  expect(spacingLimits()).toEqual([1, 1]);
  range.choose(null, null);
  documentState.value = { takes: { biped: [{ ...take, duration: 60 }] } } as unknown as Document;
  expect(spacingLimits()).toEqual([2, (6 * 24) / 5]);
});
