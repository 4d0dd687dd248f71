// Samples of a performance as a frame: u32 length of the header, the header as JSON padded to 4 bytes, then for all
// samples their times (float64), poses and axes (float32) and buttons (bytes).

import type { PerformanceHeader, Quat, Vec3 } from "./messages";

/** More samples of tracked devices, axes and buttons, one row for each time; none is dropped. */
export interface AppendPerformance {
  type: "AppendPerformance";
  interaction: number;
  times: number[];
  poses?: [Vec3, Quat][][];
  axes?: number[][];
  buttons?: boolean[][];
  axis_names?: string[];
  button_names?: string[];
  device?: string;
}

const encoder = new TextEncoder();

export function performanceFrame(message: AppendPerformance): Uint8Array<ArrayBuffer> {
  const { times, poses = [], axes = [], buttons = [], ...own } = message;
  const devices = poses[0]?.length ?? 0;
  const header: PerformanceHeader = { ...own, samples: times.length, devices };
  const text = encoder.encode(JSON.stringify(header));
  const length = 4 * Math.ceil(text.length / 4);
  const columns = 8 + 28 * devices + 4 * (axes[0]?.length ?? 0) + (buttons[0]?.length ?? 0);
  const frame = new Uint8Array(4 + length + columns * times.length).fill(0x20, 0, 4 + length);
  new DataView(frame.buffer).setUint32(0, length, true);
  frame.set(text, 4);
  write(new DataView(frame.buffer, 4 + length), times, numbersOf(poses), axes, buttons);
  return frame;
}

function write(
  block: DataView,
  times: readonly number[],
  ...[poses, axes, buttons]: [number[][], number[][], boolean[][]]
): void {
  let at = 0;
  for (const time of times) {
    block.setFloat64(at, time, true);
    at += 8;
  }
  for (const row of [...poses, ...axes])
    for (const number of row) {
      block.setFloat32(at, number, true);
      at += 4;
    }
  for (const row of buttons) for (const isDown of row) block.setUint8(at++, Number(isDown));
}

function numbersOf(poses: readonly [Vec3, Quat][][]): number[][] {
  return poses.flatMap((row) => row.map(([position, rotation]) => [...position, ...rotation]));
}
