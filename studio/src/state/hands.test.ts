import { beforeEach, expect, test, vi } from "vitest";
import type { ClientMessage } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const said: ClientMessage[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  say: (word: ClientMessage) => said.push(word),
}));
const view = await import("./view");
const { grab, letGo, settled, settling, slide, tune } = await import("./hands");

const hips = { joint: "Hips", offset: [0, 0, 0] as [number, number, number], character: "biped" };

beforeEach(() => {
  vi.useFakeTimers();
  said.length = 0;
});

test("a step that takes a while is said to, and no longer once it is done", () => {
  const slow = grab("spacetime", hips, 0.5);
  letGo();
  vi.advanceTimersByTime(200);
  expect(settling.value).toBeNull();
  vi.advanceTimersByTime(200);
  expect(settling.value).toBe(slow);
  settled(slow);
  expect(settling.value).toBeNull();
  const quick = grab("spacetime", hips, 0.5);
  letGo();
  settled(quick);
  vi.advanceTimersByTime(1000);
  expect(settling.value).toBeNull();
});

test("frames that a hand brings go with its options, also when these change meanwhile", () => {
  view.options.value = { spacetime: { start: 0, end: 0, smooth: 10 } };
  grab("spacetime", hips, 0.5, { found: true, frames: [24, 72] });
  expect(said.at(-1)).toMatchObject({
    accept_footplants: true,
    options: { start: 1, end: 3, smooth: 10 },
  });
  view.options.value = { spacetime: { start: 0, end: 0, smooth: 5 } };
  tune();
  expect(said.at(-1)).toMatchObject({
    type: "SetOptions",
    options: { start: 1, end: 3, smooth: 5 },
  });
  letGo();
  slide({ change: "BakeLayers", character: "biped", take: "walk" });
  letGo();
});
