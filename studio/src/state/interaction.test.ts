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
  appendSamples,
  beginInteraction,
  commitInteraction,
  commitOpen,
  committing,
  leaveOpen,
  updateInteraction,
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

test("a commit counts as pending until the server has ended it, so that undo can wait for it", () => {
  const id = beginInteraction("planter", hips, 0.5);
  expect(committing.value.size).toBe(0);
  commitInteraction();
  expect([...committing.value]).toEqual([id]);
  solved(id);
  expect(committing.value.size).toBe(0);
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

const types = () => sent.map(({ type }) => type);

test("an open interaction goes on by a handle and is committed by the next one", () => {
  const open = beginInteraction("puller", hips, 0.5);
  leaveOpen();
  updateInteraction({ position: [1, 2, 3] }, "arrow");
  expect(sent.at(-1)).toMatchObject({ interaction: open, point: null, handle: "arrow", time: 0.5 });
  const next = beginInteraction("puller", hips, 0.5);
  expect(types().slice(-2)).toEqual(["CommitInteraction", "BeginInteraction"]);
  leaveOpen();
  previewChange({ change: "BakeLayers", character: "biped", take: "walk" });
  expect(sent.at(-2)).toEqual({ type: "CommitInteraction", interaction: next });
  commitInteraction();
});

test("an interaction that is not open is left alone", () => {
  beginInteraction("puller", hips, 0.5);
  commitOpen();
  expect(types()).toEqual(["BeginInteraction"]);
  commitInteraction();
});

test("samples go to the interaction in progress, and nowhere without one", () => {
  const stroke = beginInteraction("pencil", null, 0);
  appendSamples({ type: "AppendPerformance", times: [0, 1] });
  expect(sent.at(-1)).toEqual({ type: "AppendPerformance", times: [0, 1], interaction: stroke });
  commitInteraction();
  appendSamples({ type: "AppendPerformance", times: [2] });
  expect(types().at(-1)).toBe("CommitInteraction");
});
