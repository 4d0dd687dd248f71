import { afterEach, beforeEach, expect, test, vi } from "vitest";

vi.hoisted(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} }));

const wire = vi.hoisted(() => ({ sent: [] as Record<string, unknown>[], unsent: 0 }));
vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return {
    line: signal("open"),
    send: (message: Record<string, unknown>) => wire.sent.push(message) > 0,
    unsentBytes: () => wire.unsent,
  };
});

import type { Appended } from "../devices/performanceMessage";
import { previews, welcome, type InteractionPreview } from "../state/document";
import { besideInteractions, endBeside } from "../state/besideInteractions";
import { cancelInteraction, interaction } from "../state/interaction";
import type { Welcome } from "../wire/messages";
import { besideExchange, merged, ownExchange, PerformanceSender } from "./performanceSender";

const ITEM = { point: null, channels: ["Jaw.rotate.x"] };

function samples(first: number, count = 1): Appended {
  const times = Array.from({ length: count }, (_, i) => first + i);
  return {
    type: "AppendPerformance",
    times,
    poses: [],
    axes: times.map((time) => [time]),
    axis_names: ["x"],
  };
}

function answer(id: number): void {
  const preview = { id, overlays: [], poses: [], notes: [] } as unknown as InteractionPreview;
  previews.value = new Map([[id, preview]]);
}

const sentTimes = () =>
  wire.sent.flatMap((each) => (each["type"] === "AppendPerformance" ? [each["times"]] : []));

beforeEach(() => {
  Object.assign(wire, { sent: [], unsent: 0 });
  welcome.value = { role: "edit", tools: [] } as unknown as Welcome;
});

afterEach(() => {
  if (interaction.peek()) cancelInteraction();
});

test("it begins with what is performed, and sends one message until that is answered", () => {
  const sender = new PerformanceSender(ownExchange("act", ITEM, 0));
  expect(wire.sent[0]).toMatchObject({ type: "BeginInteraction", ...ITEM });
  sender.add(samples(0));
  sender.step(0);
  sender.add(samples(1));
  sender.step(0.1);
  sender.add(samples(2));
  expect(sentTimes()).toEqual([[0]]);
  answer(sender.id);
  sender.step(0.2);
  expect(sentTimes()).toEqual([[0], [1, 2]]);
});

test("a server that does not answer is sent all of it in the end, a full connection waits", () => {
  const sender = new PerformanceSender(ownExchange("act", ITEM, 0));
  sender.add(samples(0));
  sender.step(0);
  sender.add(samples(1));
  sender.step(1.5);
  expect(sentTimes()).toEqual([[0], [1]]);
  wire.unsent = 1e6;
  sender.add(samples(2));
  sender.step(5);
  expect(sentTimes()).toHaveLength(2);
  sender.flush(6); // at the end everything is sent, whatever waits
  expect(sentTimes()).toEqual([[0], [1], [2]]);
});

test("after a lost connection all samples are sent again, in a new interaction", () => {
  const sender = new PerformanceSender(ownExchange("act", ITEM, 0));
  sender.add(samples(0, 3));
  sender.flush(0);
  const before = sender.id;
  welcome.value = { role: "edit", tools: [] } as unknown as Welcome;
  cancelInteraction();
  expect([sender.isActive, sender.wasCutOff]).toEqual([false, true]);
  wire.sent = [];
  sender.add(samples(3));
  sender.again(1, true, { gain: 2 });
  expect(sender.id).not.toBe(before);
  expect(sentTimes()).toEqual([[0, 1, 2, 3]]);
  expect(wire.sent.at(-1)).toMatchObject({ type: "SetOptions", options: { gain: 2 } });
  expect([sender.isActive, sender.wasCutOff, interaction.peek()?.open]).toEqual([
    true,
    false,
    true,
  ]);
});

test("one beside the window's own interaction has its own number, and neither ends the other", () => {
  const own = new PerformanceSender(ownExchange("act", ITEM, 0));
  const point = { joint: "Hips", character: "Ben" };
  const beside = new PerformanceSender(besideExchange("act", point, 0.5));
  expect(wire.sent.at(-1)).toMatchObject({ character: "Ben", point, time: 0.5 });
  for (const each of [own, beside]) {
    each.add(samples(0));
    each.step(0);
  }
  const numbers = wire.sent.slice(-2).map((each) => each["interaction"]);
  expect(numbers).toEqual([own.id, beside.id]);
  expect([own.isActive, beside.isActive, own.id !== beside.id]).toEqual([true, true, true]);
  endBeside(beside.id, "CommitInteraction");
  expect(wire.sent.at(-1)).toMatchObject({ type: "CommitInteraction", interaction: beside.id });
  expect([own.isActive, beside.isActive, besideInteractions.peek().size]).toEqual([true, false, 0]);
});

test("messages are merged up to a limit, and no sample is lost", () => {
  const many = Array.from({ length: 30 }, (_, i) => samples(100 * i, 100));
  const found = merged(many);
  expect(found.map(({ times }) => times.length)).toEqual([2000, 1000]);
  expect(found.flatMap(({ times }) => times)).toEqual(many.flatMap(({ times }) => times));
  expect(found[0]!.axes).toHaveLength(2000);
});
