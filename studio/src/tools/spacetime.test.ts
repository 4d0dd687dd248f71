import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Document } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { cast, story } = await import("../state/document");
const view = await import("../state/view");
const {
  asPlayed,
  bringsPlant,
  chooseRange,
  chosenRange,
  framesFor,
  fromHere,
  spacingLimits,
  startRange,
  toHere,
  whyNot,
} = await import("./spacetime");

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
  story.value = { takes: { biped: [take] } } as unknown as Document;
  [view.character.value, view.take.value, view.range.value] = ["biped", "walk", null];
  chooseRange(null, null);
});

test("a range is told in seconds and shown in frames", () => {
  chooseRange(12, 36);
  expect(view.options.value["spacetime"]).toMatchObject({ start: 0.5, end: 1.5 });
  expect(chosenRange()).toEqual([12, 36]);
});

test("a frame that is shown becomes the beginning or the end, and what lies beyond it goes", () => {
  view.frame.value = 20.3;
  fromHere();
  expect(chosenRange()[0]).toBeCloseTo(20);
  view.frame.value = 10;
  toHere();
  expect(chosenRange()).toEqual([null, 10]);
});

test("the playback range is the range of the edit; all of the take is no range", () => {
  view.range.value = [6, 30];
  asPlayed();
  expect(chosenRange()).toEqual([6, 30]);
  view.range.value = null;
  asPlayed();
  expect(chosenRange()).toEqual([null, null]);
});

test("a plant is moved as a whole where only a part of the take would be edited, unless it stands for very long", () => {
  expect(framesFor({ start: 0.5, end: 1 }, 18)).toBeUndefined();
  story.value = { takes: { biped: [{ ...take, duration: 60 }] } } as unknown as Document;
  expect(framesFor({ start: 10, end: 14 }, 250)).toEqual([168, 408]);
  expect(framesFor({ start: 1, end: 2 }, 30)).toEqual([0, 120]);
  expect(framesFor({ start: 0, end: 40 }, 480)).toEqual([408, 552]);
  chooseRange(12, 36);
  expect(framesFor({ start: 10, end: 14 }, 250)).toBeUndefined();
});

test("a foot brings the plant that holds it now, and only that one", () => {
  const rig = { name: "biped", joints: ["Hips", "Foot", "Toes"], parents: [-1, 0, 1] };
  cast.value = { model: "m", rigs: [rig] } as unknown as SceneInfo;
  const point = { joint: "Toes", offset: [0, 0, 0], character: "biped" };
  const wish = { kind: "contact", point, start: 0.5, end: 1, relative_to: null, take: "walk" };
  story.value = { takes: { biped: [take] }, point_constraints: [wish] } as unknown as Document;
  view.options.value = { spacetime: { grab_feet: true } };
  expect(bringsPlant({ joint: "Foot", character: "biped" }, 18)).toBe(true);
  expect(bringsPlant({ joint: "Foot", character: "biped" }, 4)).toBe(false);
  expect(bringsPlant({ joint: "Hips", character: "biped" }, 18)).toBe(false);
  view.options.value = { spacetime: { grab_feet: false } };
  expect(bringsPlant({ joint: "Foot", character: "biped" }, 18)).toBe(false);
});

test("a range is forgotten with another take, not with another character of the same", () => {
  cast.value = { model: "m", rigs: [] } as unknown as SceneInfo;
  startRange();
  chooseRange(12, 36);
  view.character.value = "box";
  expect(view.options.value["spacetime"]).toMatchObject({ start: 0.5, end: 1.5 });
  view.take.value = "run";
  expect(chosenRange()).toEqual([null, null]);
});

test("outside the range a drag is refused, with a way out", () => {
  chooseRange(12, 36);
  expect(whyNot({ joint: "Hips" }, 20)).toBeNull();
  const refusal = whyNot({ joint: "Hips" }, 40);
  expect(refusal?.text).toContain("12–36");
  refusal?.does?.();
  expect(whyNot({ joint: "Hips" }, 40)).toBeNull();
});

test("detail is never closer than two frames, nor wider than a fifth of what may change", () => {
  expect(spacingLimits()).toEqual([2, 48 / 5]);
  chooseRange(12, 36);
  expect(spacingLimits()[1]).toBeCloseTo(24 / 5);
  chooseRange(12, 17);
  expect(spacingLimits()).toEqual([1, 1]);
  chooseRange(null, null);
  story.value = { takes: { biped: [{ ...take, duration: 60 }] } } as unknown as Document;
  expect(spacingLimits()).toEqual([2, (6 * 24) / 5]);
});
