import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  NO_ROTATION,
  type DeviceLayout,
  type DevicePose,
  type DeviceSample,
  type Sink,
} from "./device";
import { DeviceClock } from "./deviceClock";
import { GamepadDevice } from "./gamepad";
import { PathDevice, parsePath } from "./pathFile";
import { performanceMessage } from "./performanceMessage";
import { PhoneDevice } from "./phone";
import { PointerDevice } from "./pointer";
import { SampleStream } from "./sampleStream";
import { XrStick } from "./xrSticks";

const ONE_POSE: DeviceLayout = { poses: 1, axisNames: [], buttonNames: [] };

function at(time: number, x = 0): DeviceSample {
  return {
    time,
    poses: [
      [
        [x, 0, 0],
        [1, 0, 0, 0],
      ],
    ],
    axes: [],
    buttons: [],
  };
}

class Collected implements Sink {
  samples: DeviceSample[] = [];
  ended: string | null = null;
  add(samples: readonly DeviceSample[]): void {
    this.samples.push(...samples);
  }
  end(reason: string): void {
    this.ended = reason;
  }
}

let now = 0; // ms
let frames: (() => void)[] = [];

/** The clock goes on, and pictures are drawn 60 times a second. */
function pass(seconds: number): void {
  for (let i = 0; i < Math.round(60 * seconds); i++) {
    now += 1000 / 60;
    const due = frames;
    frames = [];
    for (const each of due) each();
  }
}

beforeEach(() => {
  [now, frames] = [5000, []];
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("times never fall, whatever the clock of a device does", () => {
  const stream = new SampleStream(() => ONE_POSE);
  stream.add([at(3), at(3.2), at(3.1), at(2), at(3.3)]);
  expect(stream.take()[0]!.map(({ time }) => time)).toEqual([3, 3.2, 3.2, 3.2, 3.3]);
});

test("samples that are no numbers, or of another shape, are counted and left out", () => {
  const stream = new SampleStream(() => ONE_POSE);
  stream.add([at(1), at(NaN), at(1.1, Infinity), { ...at(1.2), poses: [] }, at(1.3, 4)]);
  expect(stream.take()[0]!.map(({ time }) => time)).toEqual([1, 1.3]);
  expect(stream.refused).toBe(3);
});

test("however often they are taken, no sample is lost and the order stays", () => {
  const stream = new SampleStream(() => ONE_POSE);
  const taken: DeviceSample[] = [];
  for (let i = 0; i < 7000; i++) {
    stream.add([at(0.001 * i, i)]);
    if (i % 3001 === 0) taken.push(...stream.take().flat());
  }
  const chunks = stream.take();
  expect(Math.max(...chunks.map((each) => each.length))).toBeLessThan(10_000);
  taken.push(...chunks.flat());
  expect(taken.map(({ poses }) => poses[0]![0][0])).toEqual(
    Array.from({ length: 7000 }, (_, i) => i),
  );
  expect(stream.isEmpty).toBe(true);
});

test("a device that reports changes only rests where it is, and its next move starts from there", () => {
  const stream = new SampleStream(() => ONE_POSE);
  stream.hold(0.5); // nothing was reported yet
  stream.add([at(1, 7)]);
  for (let i = 1; i <= 60; i++) stream.hold(1 + i / 60);
  stream.add([at(2.01, 9)]);
  const found = stream.take().flat();
  expect(found.length).toBeGreaterThan(15);
  expect(found.at(-2)!.time).toBeGreaterThan(1.95);
  expect(new Set(found.slice(0, -1).map(({ poses }) => poses[0]![0][0]))).toEqual(new Set([7]));
});

test("a clock that counts from another moment is aligned by the sample that was delayed least", () => {
  const clock = new DeviceClock();
  expect(clock.toPage(1_000_000, 5.03)).toBeCloseTo(5.03);
  expect(clock.toPage(1_000_000.1, 5.11)).toBeCloseTo(5.11);
  expect(clock.toPage(1_000_000.2, 5.29)).toBeCloseTo(5.21); // 80 ms late
  expect(clock.toPage(NaN, 6)).toBe(6);
});

test("a clock that is the page's stays as it is, and no sample lies in the future", () => {
  const clock = new DeviceClock();
  expect(clock.toPage(4.99, 5)).toBe(4.99);
  expect(clock.toPage(5.2, 5.1)).toBe(5.1);
  expect(clock.toPage(5.3, 5.4)).toBe(5.3);
});

test("a pointer moves in px with y upwards; a pen adds pressure and tilt", async () => {
  const [device, sink] = [new PointerDevice(), new Collected()];
  await device.start(sink);
  const held = { x: 3, y: 4, time: 1, pressure: 0.5, tiltX: 0.1, tiltY: 0.2 };
  device.feed([{ ...held, kind: "pen" }]);
  expect(device.name).toBe("pen");
  expect(device.layout().axisNames).toEqual(["pressure", "tilt_x", "tilt_y"]);
  expect(sink.samples[0]).toEqual({
    time: 1,
    poses: [
      [
        [3, -4, 0],
        [1, 0, 0, 0],
      ],
    ],
    axes: [0.5, 0.1, 0.2],
    buttons: [],
  });
  await device.start(sink);
  device.feed([{ ...held, kind: "mouse" }]);
  expect([device.name, device.layout().axisNames, sink.samples[1]!.axes]).toEqual([
    "mouse",
    [],
    [],
  ]);
  device.stop();
  device.feed([held]);
  expect(sink.samples).toHaveLength(2);
});

function gamepad(axes: number[], pressed: Record<number, number> = {}, standard = true): Gamepad {
  const buttons = Array.from({ length: 17 }, (_, i) => ({
    value: pressed[i] ?? 0,
    pressed: (pressed[i] ?? 0) > 0.5,
    touched: false,
  }));
  const mapping = standard ? "standard" : "";
  return {
    index: 0,
    connected: true,
    mapping,
    axes,
    buttons,
    timestamp: now,
  } as unknown as Gamepad;
}

test("a gamepad is read once a frame, with names, a dead zone and y upwards", async () => {
  let pad = gamepad([0.05, -0.04, 0, 0]);
  vi.stubGlobal("navigator", { getGamepads: () => [null, pad] });
  const [device, sink] = [new GamepadDevice(), new Collected()];
  expect(device.available()).toBe(true);
  await device.start(sink);
  pass(0.5);
  expect(sink.samples).toHaveLength(31);
  expect(sink.samples.at(-1)!.axes).toEqual([0, 0, 0, 0, 0, 0]); // -0 would be another value
  expect(sink.samples.at(-1)!.poses).toEqual([
    [
      [0, 0, 0],
      [1, 0, 0, 0],
    ],
  ]);
  pad = gamepad([0, -1, 1, 0], { 7: 1, 0: 1 });
  pass(1 / 60);
  const { axes, poses, buttons } = sink.samples.at(-1)!;
  expect(axes[device.layout().axisNames.indexOf("left_y")]).toBeCloseTo(1);
  expect(axes[device.layout().axisNames.indexOf("right_trigger")]).toBe(1);
  expect(buttons[device.layout().buttonNames.indexOf("a")]).toBe(true);
  expect(poses[0]![0][1]).toBeGreaterThan(0.2); // up
  expect(poses[0]![0][2]).toBeGreaterThan(0.2); // nearer
  expect(2 * Math.acos(poses[0]![1][0])).toBeCloseTo(Math.PI / 3); // the right stick turns
  device.stop();
  pass(0.5);
  expect(sink.samples).toHaveLength(32);
});

test("a gamepad that is pulled out ends; one of an unknown kind has numbered axes", async () => {
  let pads = [gamepad([1, 0], {}, false)];
  vi.stubGlobal("navigator", { getGamepads: () => pads });
  const [device, sink] = [new GamepadDevice(), new Collected()];
  await device.start(sink);
  expect(device.layout().axisNames).toEqual(["axis_0", "axis_1"]);
  expect(sink.samples[0]!.poses[0]![0][0]).toBeCloseTo(0.25);
  pads = [];
  pass(1 / 60);
  expect(sink.ended).toContain("disconnected");
  expect(device.available()).toBe(false);
  await expect(new GamepadDevice().start(sink)).rejects.toThrow("Press a button");
});

test("a phone goes on where a finger is set down again, and gives how it was turned", async () => {
  const heard: Record<string, (event: object) => void> = {};
  vi.stubGlobal("DeviceOrientationEvent", class {});
  vi.stubGlobal("addEventListener", (kind: string, run: (event: object) => void) => {
    heard[kind] = run;
  });
  vi.stubGlobal("removeEventListener", () => {});
  const [device, sink] = [new PhoneDevice(100), new Collected()];
  await device.start(sink);
  const finger = (x: number, y: number, time: number) => ({
    x,
    y,
    time,
    pressure: 1,
    tiltX: 0,
    tiltY: 0,
  });
  device.feed([finger(10, 10, 5.1), finger(30, 5, 5.2)]);
  device.lift();
  device.feed([finger(200, 200, 5.3), finger(210, 200, 5.4)]);
  expect(sink.samples.at(-1)!.poses[0]![0]).toEqual([30, 5, 0]);
  expect(sink.samples.at(-1)!.axes.slice(0, 2)).toEqual([0.3, 0.05]);
  expect(sink.samples.map(({ buttons }) => buttons[0])).toEqual([
    false,
    true,
    true,
    false,
    true,
    true,
  ]);
  heard["deviceorientation"]!({ alpha: 10, beta: 40, gamma: 5, timeStamp: 5500 });
  heard["deviceorientation"]!({ alpha: 10, beta: 70, gamma: 5, timeStamp: 5520 });
  const turned = sink.samples.at(-1)!;
  expect(turned.axes[2]).toBeCloseTo(Math.PI / 6);
  expect(turned.poses[0]![1][0]).toBeCloseTo(Math.cos(Math.PI / 12));
});

test("a path is read from JSON and CSV, from 0 s on, with unit quaternions", () => {
  const json = parsePath(
    '{"times": [2, 3], "poses": [[1, 2, 3, 2, 0, 0, 0], [[1, 2, 4], [0, 2, 0, 0]]]}',
  );
  expect(json.rows.map(({ time, poses }) => [time, ...poses])).toEqual([
    [
      0,
      [
        [1, 2, 3],
        [1, 0, 0, 0],
      ],
    ],
    [
      1,
      [
        [1, 2, 4],
        [0, 1, 0, 0],
      ],
    ],
  ]);
  const csv = parsePath("time,x,y,z\n0.5,1,2,3\n# pause\n1.5,1,2,5\n");
  expect(csv.rows.map(({ time, poses }) => [time, poses[0]?.[0][2]])).toEqual([
    [0, 3],
    [1, 5],
  ]);
});

test("a path may hold axes instead of poses, with names or without", () => {
  const path = parsePath('{"times": [0, 1], "axes": [[0, 1], [0.5, 1]], "axis_names": ["a", "b"]}');
  expect(path.axisNames).toEqual(["a", "b"]);
  expect(path.rows[1]).toEqual({ time: 1, poses: [], axes: [0.5, 1] });
  expect(parsePath('{"times": [0, 1], "axes": [[0], [1]]}').axisNames).toEqual(["axis 1"]);
  expect(() => parsePath('{"times": [0, 1], "axes": [[0], [1, 2]]}')).toThrow("Row 2");
  const device = new PathDevice();
  device.load("pad.json", '{"times": [0, 1], "axes": [[0], [1]]}');
  expect(device.layout()).toEqual({ poses: 0, axisNames: ["axis 1"], buttonNames: [] });
});

test("a path that cannot be read says what is wrong", () => {
  expect(() => parsePath("{")).toThrow("no JSON");
  expect(() => parsePath('{"times": [1]}')).toThrow("no times");
  expect(() => parsePath("0,1,2\n1,1,2")).toThrow("Row 1");
  expect(() => parsePath("0,1,2,3\n1,1,x,3")).toThrow("Row 2");
  expect(() => parsePath("1,1,2,3\n0,1,2,3")).toThrow("Times fall in row 2");
  expect(() => parsePath("0,1,2,3")).toThrow("fewer than two");
  expect(() => parsePath("0,1,2,3,0,0,0,0\n1,1,2,3,0,0,0,0")).toThrow("Row 1");
});

test("a path is played at its own speed from the end of the count-in on, then it ends", async () => {
  const [device, sink] = [new PathDevice(), new Collected()];
  const rows = Array.from({ length: 121 }, (_, i) => `${i / 120},${i},0,0`);
  device.load("wave.csv", rows.join("\n"));
  expect(device.label).toContain("wave.csv");
  await device.start(sink);
  pass(1);
  expect(sink.samples).toHaveLength(0);
  device.begin();
  pass(0.5);
  expect(sink.samples.length).toBeGreaterThanOrEqual(60);
  expect(sink.samples.length).toBeLessThan(64);
  expect(sink.ended).toBeNull();
  pass(0.6);
  expect(sink.samples.map(({ poses }) => poses[0]![0][0])).toEqual(rows.map((_, i) => i));
  expect(sink.samples[120]!.time - sink.samples[0]!.time).toBeCloseTo(1);
  expect(sink.ended).toBe("");
});

test("a message has the times of the performance, and poses as they lie in the world", () => {
  const half = Math.SQRT1_2;
  const message = performanceMessage(
    "mouse",
    { poses: 1, axisNames: ["pressure"], buttonNames: [] },
    [
      {
        time: 5,
        poses: [
          [
            [100, 0, 0],
            [1, 0, 0, 0],
          ],
        ],
        axes: [0.5],
        buttons: [],
      },
    ],
    (time) => time - 4.5,
    { origin: [0, 1, 0], rotation: [half, 0, half, 0], scale: 0.01 },
  );
  expect(message.times).toEqual([0.5]);
  expect(message.axes).toEqual([[0.5]]);
  expect(message.buttons).toBeUndefined();
  const [position, orientation] = message.poses![0]![0]!;
  [0, 1, -1].forEach((each, i) => expect(position[i]).toBeCloseTo(each));
  [half, 0, half, 0].forEach((each, i) => expect(orientation[i]).toBeCloseTo(each));
});

test("two controllers of one puppet give both poses, and a button while the second holds the head", () => {
  const [one, two] = [new XrStick("left"), new XrStick("right")];
  [one.other, two.other] = [two, one];
  const pose = (x: number): DevicePose => [[x, 1, 0], NO_ROTATION];
  [one.pose, two.pose] = [pose(1), pose(2)];
  const samples: DeviceSample[] = [];
  void one.start({ add: (more) => samples.push(...more), end: () => {} });
  expect(one.layout()).toEqual({ poses: 2, axisNames: [], buttonNames: ["held", "head"] });
  one.give(0);
  expect(two.holdHead()).toBe(true);
  two.pose = pose(3);
  one.give(1);
  two.release();
  one.give(2);
  expect(samples.map(({ buttons }) => buttons)).toEqual([
    [true, false],
    [true, true],
    [true, false],
  ]);
  expect(samples[1]!.poses).toEqual([pose(1), pose(3)]);
  expect(one.holdHead()).toBe(false); // the other one leads nothing
});

test("a controller that leads another puppet is no helper", () => {
  const [one, two] = [new XrStick("left"), new XrStick("right")];
  [one.other, two.other] = [two, one];
  one.pose = two.pose = [[0, 1, 0], NO_ROTATION];
  const sink = { add: () => {}, end: () => {} };
  void one.start(sink);
  void two.start(sink);
  expect([one.layout().poses, two.layout().poses]).toEqual([2, 1]);
});
