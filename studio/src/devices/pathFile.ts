// A recorded path from a file as a device: times with positions and orientations, with axes, or both.

import type { Quat, Vec3 } from "../wire/messages";
import type { Device, DeviceLayout, DevicePose, Sink } from "./device";
import { NO_ROTATION, pageTime } from "./device";

const SHAPE =
  'a JSON file {"times": [s, …], "poses": [[x, y, z, qw, qx, qy, qz], …]}, or CSV rows of the same numbers; JSON may have "axes" and "axis_names", too';

/** A row of a path: s, m and a unit quaternion wxyz, and axes. */
export interface PathRow {
  time: number;
  poses: readonly DevicePose[]; // one, or none
  axes: readonly number[];
}

export interface RecordedPath {
  rows: readonly PathRow[];
  axisNames: readonly string[];
}

/** Reads a path; throws with what is wrong with it. */
export function parsePath(text: string): RecordedPath {
  const isJson = text.trimStart().startsWith("{");
  const { rows, axisNames } = isJson ? jsonPath(text) : { rows: csvRows(text), axisNames: [] };
  if (rows.length < 2) throw new Error(`This path has fewer than two rows. Expected ${SHAPE}.`);
  rows.forEach(({ time }, i) => {
    if (i && time < rows[i - 1]!.time) throw new Error(`Times fall in row ${i + 1} of the path.`);
  });
  return { rows: rows.map((row) => ({ ...row, time: row.time - rows[0]!.time })), axisNames };
}

function jsonPath(text: string): RecordedPath {
  let info: { times?: unknown; poses?: unknown; axes?: unknown; axis_names?: unknown };
  try {
    info = JSON.parse(text) as typeof info;
  } catch {
    throw new Error(`This file is no JSON. Expected ${SHAPE}.`);
  }
  const { times, poses, axes } = info;
  const isTable = (table: unknown) => Array.isArray(times) && isRows(table, times.length);
  const given = [poses, axes].filter((each) => each !== undefined);
  if (!Array.isArray(times) || given.length === 0 || !given.every(isTable))
    throw new Error(`This file has no times, or not as many poses. Expected ${SHAPE}.`);
  const moved = (axes ?? times.map(() => [])) as number[][];
  const names = (info.axis_names ?? moved[0]?.map((_, i) => `axis ${i + 1}`) ?? []) as string[];
  const rows = (times as number[]).map((time, i) => {
    const row = poses === undefined ? null : rowOf([time, ...(poses as number[][])[i]!.flat()], i);
    if (![time, ...moved[i]!].every(Number.isFinite) || moved[i]!.length !== names.length)
      throw new Error(`Row ${i + 1} of the path cannot be read. Expected ${SHAPE}.`);
    return { time, poses: row?.poses ?? [], axes: moved[i]! };
  });
  return { rows, axisNames: names };
}

function isRows(table: unknown, count: number): boolean {
  return Array.isArray(table) && table.length === count && table.every(Array.isArray);
}

function csvRows(text: string): PathRow[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() && !line.startsWith("#"));
  const rows = lines.map((line) => line.split(/[,;\t]/).map((cell) => Number(cell.trim() || NaN)));
  const isHead = rows[0]?.every(Number.isNaN) ?? false;
  return (isHead ? rows.slice(1) : rows).map(rowOf);
}

function rowOf(numbers: readonly number[], at: number): PathRow {
  const [time, x, y, z, ...turn] = numbers as [number, number, number, number, ...number[]];
  const size = turn.length === 4 ? Math.hypot(...turn) : 1;
  if (![4, 8].includes(numbers.length) || !numbers.every(Number.isFinite) || size < 1e-6)
    throw new Error(`Row ${at + 1} of the path cannot be read. Expected ${SHAPE}.`);
  const orientation = turn.length === 4 ? (turn.map((each) => each / size) as Quat) : NO_ROTATION;
  return { time, poses: [[[x, y, z] satisfies Vec3, orientation]], axes: [] };
}

/** Plays a path at its own speed, once. */
export class PathDevice implements Device {
  readonly name = "path";
  readonly space = "world";
  readonly reportsChanges = false;
  private rows: readonly PathRow[] = [];
  private axisNames: readonly string[] = [];
  private file = "";
  private sink: Sink | null = null;

  get label(): string {
    return this.file ? `Path ${this.file}` : "Recorded path…";
  }

  load(file: string, text: string): void {
    ({ rows: this.rows, axisNames: this.axisNames } = parsePath(text));
    this.file = file;
  }

  layout(): DeviceLayout {
    return { poses: this.rows[0]?.poses.length ?? 1, axisNames: this.axisNames, buttonNames: [] };
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
    const due = this.rows.slice(at, next).map(({ time, ...row }) => ({
      ...row,
      time: began + time,
      buttons: [],
    }));
    if (due.length) sink.add(due);
    if (next === this.rows.length) sink.end("");
    else requestAnimationFrame(() => this.play(sink, next, began));
  }
}
