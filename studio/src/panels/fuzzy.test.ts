import { expect, test } from "vitest";
import { fuzzy } from "./fuzzy";

const find = (typed: string, ...texts: string[]) =>
  fuzzy(texts, typed, (text) => text).map((each) => each.item);

test("nothing typed finds everything, in order for texts of one length", () => {
  expect(find("", "Undo", "Redo", "Play")).toEqual(["Undo", "Redo", "Play"]);
});

test("the start of a word comes before its middle", () => {
  expect(find("pin", "Spin the view", "Remove pin", "Pin")).toEqual([
    "Pin",
    "Remove pin",
    "Spin the view",
  ]);
});

test("first letters of words are enough", () => {
  expect(find("fs", "Offset", "Frame selected")[0]).toBe("Frame selected");
  expect(find("lf", "Elf", "LeftFoot")[0]).toBe("LeftFoot");
  expect(find("lfo", "LeftFoot", "Spine")).toEqual(["LeftFoot"]);
});

test("every word that was typed must be there, in any order", () => {
  expect(find("foot left", "LeftFoot", "LeftHand", "RightFoot")).toEqual(["LeftFoot"]);
});

test("letters that are not there find nothing", () => {
  expect(find("xyz", "Undo", "Redo")).toEqual([]);
});

test("the matched letters are returned", () => {
  expect(fuzzy(["LeftFoot"], "foot", (text) => text)[0]?.hits).toEqual([4, 5, 6, 7]);
});

test("other words find it, too; what is used often comes first among what fits alike", () => {
  const items = ["Export…", "Extrapolation…", "Follow"];
  const words: Record<string, string> = { "Export…": "render video gif mp4" };
  const more = (item: string) => ({
    words: words[item] ?? "",
    weight: item === "Follow" ? 0.5 : 0,
  });
  const found = (typed: string) =>
    fuzzy(items, typed, (each) => each, more).map(({ item }) => item);
  expect(found("gif")).toEqual(["Export…"]);
  expect(found("render vid")).toEqual(["Export…"]);
  expect(found("")[0]).toBe("Follow");
});
