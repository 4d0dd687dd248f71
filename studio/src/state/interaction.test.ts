import { beforeEach, expect, test, vi } from "vitest";
import type { ClientMessage } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const sent: ClientMessage[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  send: (message: ClientMessage) => sent.push(message),
}));
const view = await import("./view");
const {
  beginInteraction,
  commitInteraction,
  solved,
  solving,
  previewChange,
  setInteractionOptions,
} = await import("./interaction");

const { registerTraits } = await import("./toolTraits");
registerTraits("planter", { rangeOptions: { start: "from", end: "to" } });

const hips = { joint: "Hips", offset: [0, 0, 0] as [number, number, number], character: "biped" };

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
});

test("a solve that takes long shows progress until it has ended", () => {
  const slow = beginInteraction("planter", hips, 0.5);
  commitInteraction();
  vi.advanceTimersByTime(200);
  expect(solving.value).toBeNull();
  vi.advanceTimersByTime(200);
  expect(solving.value).toBe(slow);
  solved(slow);
  expect(solving.value).toBeNull();
  const quick = beginInteraction("planter", hips, 0.5);
  commitInteraction();
  solved(quick);
  vi.advanceTimersByTime(1000);
  expect(solving.value).toBeNull();
});

test("frames of a drag go with its options, also when these change meanwhile", () => {
  view.options.value = { planter: { from: 0, to: 0, smooth: 10 } };
  beginInteraction("planter", hips, 0.5, { found: true, frames: [24, 72] });
  expect(sent.at(-1)).toMatchObject({
    accept_footplants: true,
    options: { from: 1, to: 3, smooth: 10 },
  });
  view.options.value = { planter: { from: 0, to: 0, smooth: 5 } };
  setInteractionOptions();
  expect(sent.at(-1)).toMatchObject({
    type: "SetOptions",
    options: { from: 1, to: 3, smooth: 5 },
  });
  commitInteraction();
  previewChange({ change: "BakeLayers", character: "biped", take: "walk" });
  commitInteraction();
});
