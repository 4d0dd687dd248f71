// Where parts of the timeline are on the page, for scripts and browser tests with a real mouse.

import { footplantsHere } from "../state/footplants";
import { chosenKeys, rate, sheet, uiScale } from "../state/view";
import { xOf } from "./axis";
import { columnNear } from "./columns";
import { keyAt } from "./curve";
import { barOf, type BarEnd } from "./dopeHit";
import { dopeView } from "./dopePointer";
import { editRange } from "./editRange";
import { graphView } from "./graphPointer";
import { handlePlace, placeOf } from "./graphHit";
import { laneOf } from "./layerDraw";
import { LABELS, ROW, rowTop, RULER, STRIP } from "./layout";
import { axis, columnsFor, drawnChannels, hover, rows, scroll, shown, size } from "./sheetState";
import { soundPlace } from "./soundStrip";
import { borderPlace } from "./toolSpans";

type Place = [x: number, y: number];

function onPage(at: Place | null): Place | null {
  const edge = document.querySelector(".sheets-body")?.getBoundingClientRect();
  const scale = uiScale.peek();
  return at && edge ? [edge.left + scale * at[0], edge.top + scale * at[1]] : null;
}

export const timelinePlaces = {
  /** Rows of the dope sheet as they are listed. */
  rows: () => rows.value.map(({ id, kind, label, channels }) => ({ id, kind, label, channels })),
  /** The middle of a row's name. */
  row: (id: string): Place | null => {
    const at = rows.value.findIndex((row) => row.id === id);
    return at < 0 ? null : onPage([LABELS / 2, rowTop(at, scroll.value) + ROW / 2]);
  },
  /** A frame on the ruler. */
  frame: (frame: number): Place | null =>
    onPage([LABELS + xOf(axis.value, frame), STRIP + (RULER - STRIP) / 3]),
  /** The frames an edit may change, as the ruler shows them. */
  edit: () => editRange.value,
  /** An end of the bracket around them, or its middle. */
  editEnd: (part: "start" | "end" | "middle"): Place | null => {
    const now = editRange.value;
    if (!now) return null;
    const frame =
      part === "start" ? now.first : part === "end" ? now.last : (now.first + now.last) / 2;
    return onPage([LABELS + xOf(axis.value, frame), STRIP / 2]);
  },
  /** A mark in a row of the dope sheet, by its frame. */
  mark: (id: string, frame: number): Place | null => {
    const at = rows.value.findIndex((row) => row.id === id);
    const row = rows.value[at];
    if (!row) return null;
    const columns = columnsFor(row);
    const column = columnNear(columns, frame / rate.value, 0.5 / rate.value);
    const time = columns.times[column];
    if (time === undefined) return null;
    return onPage([
      LABELS + xOf(axis.value, time * rate.value),
      rowTop(at, scroll.value) + ROW / 2,
    ]);
  },
  /** An end or the middle of a pin's or contact's bar. */
  bar: (kind: string, index: number, end: BarEnd): Place | null => {
    for (const [at, row] of rows.value.entries()) {
      const pointConstraint = row.bars.find((each) => each.kind === kind && each.index === index);
      if (!pointConstraint) continue;
      const [from, to] = barOf(dopeView(), pointConstraint);
      const x = end === "start" ? from + 2 : end === "end" ? to - 2 : (from + to) / 2;
      return onPage([LABELS + x, rowTop(at, scroll.value) + ROW / 2]);
    }
    return null;
  },
  /** First and last frame of the detected footplants. */
  footplants: () =>
    footplantsHere().map(({ start, end }) => [start * rate.value, end * rate.value]),
  /** The bar of a layer, or its eye. */
  layer: (index: number, part: "bar" | "eye" = "bar"): Place | null => {
    const at = rows.value.findIndex((row) => row.layers?.some((bar) => bar.index === index));
    const bar = rows.value[at]?.layers?.find((each) => each.index === index);
    if (!bar) return null;
    const top = rowTop(at, scroll.value);
    if (part === "eye") return onPage([24 + 12 * (rows.value[at]?.depth ?? 0), top + ROW / 2]);
    const [from, to] = barOf(dopeView(), bar);
    const [down, height] = laneOf(bar, rows.value[at]?.kind === "layers");
    return onPage([LABELS + (from + to) / 2, top + down + height / 2]);
  },
  /** The flag of an event, by its place in time. */
  event: (index: number): Place | null => {
    const at = rows.value.findIndex((row) => row.events);
    const mark = rows.value[at]?.events?.[index];
    if (!mark) return null;
    const x = LABELS + xOf(axis.value, mark.time * rate.value);
    return onPage([x, rowTop(at, scroll.value) + ROW / 2]);
  },
  /** The flag of a proposed event, by its name. */
  proposal: (name: string): Place | null => {
    const at = rows.value.findIndex((row) => row.proposals);
    const mark = rows.value[at]?.proposals?.find((each) => each.name === name);
    if (!mark) return null;
    const x = LABELS + xOf(axis.value, mark.time * rate.value);
    return onPage([x, rowTop(at, scroll.value) + ROW / 2]);
  },
  /** The border between two bars of a tool, at the key of a frame. */
  border: (frame: number): Place | null => onPage(borderPlace(frame, size.value.height)),
  /** A time of the take over the waveform of the sound. */
  sound: soundPlace,
  /** The middle of a section's bar. */
  section: (name: string): Place | null => {
    const at = rows.value.findIndex((row) => row.sections);
    const bar = rows.value[at]?.sections?.find((each) => each.name === name);
    if (!bar) return null;
    const [from, to] = barOf(dopeView(), bar);
    return onPage([LABELS + (from + to) / 2, rowTop(at, scroll.value) + ROW / 2]);
  },
  /** A key in the graph. */
  key: (channel: number, key: number): Place | null => {
    const curve = shown.value.get(channel);
    if (!curve) return null;
    const { time, value } = keyAt(curve, key);
    return onPage(placeOf(graphView(), channel, time, value));
  },
  /** A handle in the graph: side 0 in, 1 out. */
  handle: (channel: number, key: number, side: 0 | 1): Place | null =>
    onPage(handlePlace(graphView(), channel, key, side)),
  /** Time (s), value and handles of the keys of a channel. */
  keys: (channel: number) => {
    const rows = shown.value.get(channel)?.rows ?? new Float32Array();
    return [...Array(rows.length / 9).keys()].map((key) => [...rows.slice(9 * key, 9 * key + 9)]);
  },
  state: () => ({
    sheet: sheet.value,
    hover: hover.value?.text ?? "",
    chosen: [...chosenKeys.value],
    drawn: [...drawnChannels.value],
  }),
};
