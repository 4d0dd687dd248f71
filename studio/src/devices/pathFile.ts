// A recorded path from a file as a device: times with positions and orientations.

import type { Quat, Vec3 } from "../wire/messages";
import type { Device, DeviceLayout, DevicePose, Sink } from "./device";
import { NO_ROTATION, pageTime } from "./device";

const LAYOUT: DeviceLayout = { poses: 1, axisNames: [], buttonNames: [] };
const SHAPE =
  'a JSON file {"times": [s, …], "poses": [[x, y, z, qw, qx, qy, qz], …]}, or CSV rows of the same numbers';

/** A row of a path: s, m, and a unit quaternion wxyz. */
export interface PathRow {
  time: number;
  pose: DevicePose;
}

/** Reads a path; throws with what is wrong with it. */
export function parsePath(text: string): PathRow[] {
  const rows = text.trimStart().startsWith("{") ? jsonRows(text) : csvRows(text);
  const found = rows.map(rowOf);
  if (found.length < 2) throw new Error(`This path has fewer than two rows. Expected ${SHAPE}.`);
  found.forEach(({ time }, i) => {
    if (i && time < found[i - 1]!.time) throw new Error(`Times fall in row ${i + 1} of the path.`);
  });
  return found.map((row) => ({ ...row, time: row.time - found[0]!.time }));
}

function jsonRows(text: string): number[][] {
  let info: { times?: unknown; poses?: unknown };
  try {
    info = JSON.parse(text) as typeof info;
  } catch {
    throw new Error(`This file is no JSON. Expected ${SHAPE}.`);
  }
  const { times, poses } = info;
  if (!Array.isArray(times) || !Array.isArray(poses) || times.length !== poses.length)
    throw new Error(`This file has no times, or not as many poses. Expected ${SHAPE}.`);
  return times.map((time, i) => [time, ...(poses[i] as number[]).flat()]);
}

function csvRows(text: string): number[][] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() && !line.startsWith("#"));
  const rows = lines.map((line) => line.split(/[,;\t]/).map((cell) => Number(cell.trim() || NaN)));
  const isHead = rows[0]?.every(Number.isNaN) ?? false;
  return isHead ? rows.slice(1) : rows;
}

function rowOf(numbers: readonly number[], at: number): PathRow {
  const [time, x, y, z, ...turn] = numbers as [number, number, number, number, ...number[]];
  const size = turn.length === 4 ? Math.hypot(...turn) : 1;
  if (![4, 8].includes(numbers.length) || !numbers.every(Number.isFinite) || size < 1e-6)
    throw new Error(`Row ${at + 1} of the path cannot be read. Expected ${SHAPE}.`);
  const orientation = turn.length === 4 ? (turn.map((each) => each / size) as Quat) : NO_ROTATION;
  return { time, pose: [[x, y, z] satisfies Vec3, orientation] };
}

/** Plays a path at its own speed, once. */
export class PathDevice implements Device {
  readonly name = "path";
  readonly space = "world";
  readonly reportsChanges = false;
  private rows: readonly PathRow[] = [];
  private file = "";
  private sink: Sink | null = null;

  get label(): string {
    return this.file ? `Path ${this.file}` : "Recorded path…";
  }

  load(file: string, text: string): void {
    this.rows = parsePath(text);
    this.file = file;
  }

  layout(): DeviceLayout {
    return LAYOUT;
  }

  available(): boolean {
    return this.rows.length > 0;
  }

  start(sink: Sink): Promise<void> {
    this.sink = sink;
    return Promise.resolve();
  }

  begin(): void {
    if (this.sink) this.play(this.sink, 0, pageTime());
  }

  stop(): void {
    this.sink = null;
  }

  /** From a row on, of a path that began at a moment of the page's clock. */
  private play(sink: Sink, at: number, began: number): void {
    if (this.sink !== sink) return;
    let next = at;
    while (next < this.rows.length && this.rows[next]!.time <= pageTime() - began) next++;
    const due = this.rows.slice(at, next).map(({ time, pose }) => ({
      time: began + time,
      poses: [pose],
      axes: [],
      buttons: [],
    }));
    if (due.length) sink.add(due);
    if (next === this.rows.length) sink.end("");
    else requestAnimationFrame(() => this.play(sink, next, began));
  }
}
