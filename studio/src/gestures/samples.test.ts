import { expect, test } from "vitest";
import type { PointerSample } from "../viewport/activeGesture";
import { SampleQueue, samplesOf } from "./samples";

function sample(x: number, time: number): PointerSample {
  return { x, y: 0, time, pressure: 0.5, tiltX: 0, tiltY: 0 };
}

function moved(clientX: number, timeStamp: number, merged: object[] = []): PointerEvent {
  const place = { clientX, clientY: 30, timeStamp, pressure: 0.25, tiltX: 90, tiltY: 0 };
  return { ...place, getCoalescedEvents: () => merged } as unknown as PointerEvent;
}

test("an event gives the samples that were merged into it, oldest first", () => {
  const event = moved(14, 1008, [moved(11, 1000), moved(12, 1004), moved(14, 1008)]);
  const samples = samplesOf(event, { left: 10, top: 20 });
  expect(samples.map(({ x, y, time }) => [x, y, time])).toEqual([
    [1, 10, 1],
    [2, 10, 1.004],
    [4, 10, 1.008],
  ]);
  expect([samples[0]!.pressure, samples[0]!.tiltX]).toEqual([0.25, Math.PI / 2]);
});

test("an event into which nothing was merged is a sample itself", () => {
  expect(samplesOf(moved(14, 1000), { left: 10, top: 20 }).map(({ x }) => x)).toEqual([4]);
});

test("however often they are taken, no sample is lost and the order stays", () => {
  const queue = new SampleQueue(sample(0, 5));
  const taken: PointerSample[] = [];
  for (let i = 1; i < 5000; i++) {
    queue.add([sample(i, 5 + 0.001 * i)]);
    if (i % 7 === 0 || i > 4990) taken.push(...queue.take().flat());
  }
  expect(taken.map(({ x }) => x)).toEqual(Array.from({ length: 5000 }, (_, i) => i));
  expect([taken[0]!.time, taken[2000]!.time]).toEqual([0, expect.closeTo(2)]);
  expect(queue.take()).toEqual([]);
});

test("many samples at once become several chunks", () => {
  const queue = new SampleQueue(sample(0, 0));
  queue.add(Array.from({ length: 4500 }, (_, i) => sample(i + 1, i)));
  const chunks = queue.take();
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.flat().map(({ x }) => x)).toEqual(Array.from({ length: 4501 }, (_, i) => i));
});

test("times never fall, also where the clock of a pointer does", () => {
  const queue = new SampleQueue(sample(0, 3));
  queue.add([sample(1, 3.2), sample(2, 3.1)]);
  const first = queue.take().flat();
  queue.add([sample(3, 2.9), sample(4, 3.3)]);
  const times = [...first, ...queue.take().flat()].map(({ time }) => Number(time.toFixed(6)));
  expect(times).toEqual([0, 0.2, 0.2, 0.2, 0.3]);
});
