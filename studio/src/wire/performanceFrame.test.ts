import { expect, test } from "vitest";
import type { PerformanceHeader } from "./messages";
import { performanceFrame, type AppendPerformance } from "./performanceFrame";

const START: Pick<AppendPerformance, "type" | "interaction"> = {
  type: "AppendPerformance",
  interaction: 7,
};

function read(frame: Uint8Array<ArrayBuffer>): { header: PerformanceHeader; block: DataView } {
  const length = new DataView(frame.buffer).getUint32(0, true);
  const text = new TextDecoder().decode(frame.subarray(4, 4 + length));
  expect(length % 4).toBe(0);
  return {
    header: JSON.parse(text) as PerformanceHeader,
    block: new DataView(frame.buffer, 4 + length),
  };
}

test("times are doubles, poses and axes floats, buttons bytes, sample by sample", () => {
  const { header, block } = read(
    performanceFrame({
      ...START,
      device: "phöne",
      times: [0.1, 1234.56789],
      poses: [0, 10].map((first) => [
        [
          [first, 1, 2],
          [1, 0, 0, 0],
        ],
        [
          [first + 5, 6, 7],
          [0, 1, 0, 0],
        ],
      ]),
      axis_names: ["x"],
      axes: [[0.5], [-0.25]],
      button_names: ["held", "punch"],
      buttons: [
        [true, false],
        [true, true],
      ],
    }),
  );
  expect(header).toEqual({
    ...START,
    device: "phöne",
    samples: 2,
    devices: 2,
    axis_names: ["x"],
    button_names: ["held", "punch"],
  });
  const floats = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => block.getFloat32(from + 4 * i, true));
  expect([block.getFloat64(0, true), block.getFloat64(8, true)]).toEqual([0.1, 1234.56789]);
  expect(floats(16, 14)).toEqual([0, 1, 2, 1, 0, 0, 0, 5, 6, 7, 0, 1, 0, 0]);
  expect(floats(16 + 56, 3)).toEqual([10, 1, 2]);
  expect(floats(16 + 112, 2)).toEqual([0.5, -0.25]);
  expect([0, 1, 2, 3].map((i) => block.getUint8(136 + i))).toEqual([1, 0, 1, 1]);
  expect(block.byteLength).toBe(140);
});

test("a device without poses, axes or buttons has times alone", () => {
  for (const device of ["", "a", "ab", "abc"]) {
    const { header, block } = read(performanceFrame({ ...START, device, times: [3] }));
    expect(header).toEqual({ ...START, device, samples: 1, devices: 0 });
    expect([block.byteLength, block.getFloat64(0, true)]).toEqual([8, 3]);
  }
});

test("a sample of a phone takes 40 bytes", () => {
  const held = Array.from({ length: 60 }, () => [true, false, false, false]);
  const size = (count: number) =>
    performanceFrame({
      ...START,
      times: held.slice(0, count).map((_, i) => i / 60),
      poses: held.slice(0, count).map(() => [
        [
          [0.1, 1.5, 0.3],
          [1, 0, 0, 0],
        ],
      ]),
      button_names: ["held", "punch", "kick", "throw"],
      buttons: held.slice(0, count),
    }).length;
  expect(size(59) - size(10)).toBe(49 * 40);
});
