import { expect, test } from "vitest";
import { NO_ROTATION, type DeviceSample } from "../devices/device";
import { IN_THE_WORLD, type Appended } from "../devices/performanceMessage";
import { PointerDevice } from "../devices/pointer";
import { PerformedTime } from "../state/performedTime";
import { DeviceFeed } from "./deviceFeed";
import type { PerformanceSender } from "./performanceSender";

const sampleAt = (time: number): DeviceSample => ({
  time,
  poses: [[[0, 0, 0], NO_ROTATION]],
  axes: [],
  buttons: [],
});

test("times never fall where a clock turns out to go slower than a sample assumed", () => {
  const sent: Appended[] = [];
  const sender = { add: (message: Appended) => sent.push(message) } as unknown as PerformanceSender;
  const clock = new PerformedTime(0, 0);
  const mapping = { timeOf: (time: number) => clock.timeAt(time), placing: IN_THE_WORLD };
  const feed = new DeviceFeed(new PointerDevice(), sender, () => mapping);

  feed.add([sampleAt(1)]);
  feed.pass(); // beyond the last mark: at the pace of 1
  clock.advance(2, 0.5);
  feed.add([sampleAt(1.1), sampleAt(3)]);
  feed.pass();

  expect(sent.map(({ times }) => times)).toEqual([[1], [1, 1.5]]);
});
