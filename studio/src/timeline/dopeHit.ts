// What lies under the pointer in the dope sheet. All px are counted from the sheet's left and top.

import type { Bar } from "./row";
import { frameOf, xOf, type TimeAxis } from "./axis";
import { columnFrom, columnNear, keysIn, type Columns } from "./columns";
import { EYE, laneOf } from "./layerDraw";
import type { EventMark, LayerBar, ProposalMark, SectionBar } from "./row";
import { LABELS, ROW, rowAt, rowTop } from "./layout";
import type { Row } from "./row";

export interface DopeView {
  rows: readonly Row[];
  columns: (row: Row) => Columns;
  axis: TimeAxis;
  rate: number;
  scroll: number;
}

export type BarEnd = "start" | "end" | "middle";

export type DopeHit =
  | { part: "key"; row: Row; column: number }
  | { part: "bar"; row: Row; bar: Bar; end: BarEnd }
  | { part: "layer"; row: Row; layer: LayerBar }
  | { part: "eye"; row: Row; layer: LayerBar }
  | { part: "section"; row: Row; section: SectionBar }
  | { part: "event"; row: Row; event: EventMark }
  | { part: "proposal"; row: Row; proposal: ProposalMark }
  | { part: "name"; row: Row; arrow: boolean }
  | { part: "empty"; row: Row | null };

export const KEY_REACH = 8; // px
const HANDLE = 7; // px

export function hitDope(view: DopeView, x: number, y: number): DopeHit {
  const row = view.rows[rowAt(y, view.rows.length, view.scroll)];
  if (!row) return { part: "empty", row: null };
  if (x < LABELS) return hitName(row, x);
  const track = x - LABELS;
  if (row.layers)
    return hitLayer(view, row, track, y - rowTop(view.rows.indexOf(row), view.scroll));
  if (row.events) return hitEvent(view, row, track);
  if (row.sections) return hitSection(view, row, track);
  if (row.kind === "bars") return hitBar(view, row, track);
  const time = frameOf(view.axis, track) / view.rate;
  const column = columnNear(view.columns(row), time, KEY_REACH / view.axis.perFrame / view.rate);
  return column < 0 ? { part: "empty", row } : { part: "key", row, column };
}

function hitName(row: Row, x: number): DopeHit {
  const named = 20 + 12 * row.depth;
  const layer = row.kind === "layer" ? row.layers?.[0] : undefined;
  if (layer) return { part: x < named + EYE ? "eye" : "layer", row, layer };
  return { part: "name", row, arrow: row.open !== null && x < named };
}

/** The layer whose bar is met; where several share the row, the one whose lane is nearest. */
function hitLayer(view: DopeView, row: Row, x: number, y: number): DopeHit {
  const shared = row.kind === "layers";
  const away = (bar: LayerBar) => {
    const [top, height] = laneOf(bar, shared);
    return Math.max(top - y, y - top - height, 0);
  };
  const met = (row.layers ?? []).filter((bar) => {
    const [from, to] = barOf(view, bar);
    return x >= from - 2 && x <= to + 2;
  });
  const [nearest] = met.sort((a, b) => away(a) - away(b));
  return nearest ? { part: "layer", row, layer: nearest } : { part: "empty", row };
}

function hitEvent(view: DopeView, row: Row, x: number): DopeHit {
  const away = ({ time }: { time: number }) => Math.abs(xOf(view.axis, time * view.rate) - x);
  const nearest = <Mark extends { time: number }>(marks: readonly Mark[] = []) =>
    [...marks].sort((one, other) => away(one) - away(other))[0];
  const [event, proposal] = [nearest(row.events), nearest(row.proposals)];
  const reach = Math.min(event ? away(event) : Infinity, proposal ? away(proposal) : Infinity);
  if (reach > KEY_REACH) return { part: "empty", row };
  if (event && away(event) <= reach) return { part: "event", row, event };
  return { part: "proposal", row, proposal: proposal! };
}

function hitSection(view: DopeView, row: Row, x: number): DopeHit {
  const time = frameOf(view.axis, x) / view.rate;
  const section = row.sections?.find((each) => each.start <= time && time < each.end);
  return section ? { part: "section", row, section } : { part: "empty", row };
}

function hitBar(view: DopeView, row: Row, x: number): DopeHit {
  for (const bar of row.bars) {
    const [from, to] = barOf(view, bar);
    if (x < from - HANDLE || x > to + HANDLE) continue;
    const handle = Math.min(HANDLE, (to - from) / 3);
    const end = x < from + handle ? "start" : x > to - handle ? "end" : "middle";
    return { part: "bar", row, bar, end };
  }
  return { part: "empty", row };
}

/** Left and right edge of a bar, never too small to be seen. */
export function barOf(
  view: { axis: TimeAxis; rate: number },
  bar: { start: number; end: number },
): [number, number] {
  const from = xOf(view.axis, bar.start * view.rate);
  const to = xOf(view.axis, bar.end * view.rate);
  return to - from < 8 ? [from - 4, from + 4] : [from, to];
}

/** Keys of all rows that a box touches. */
export function keysInBox(
  view: DopeView,
  box: { x0: number; y0: number; x1: number; y1: number },
): [number, number][] {
  const time = (x: number) => frameOf(view.axis, x - LABELS) / view.rate;
  const [from, to] = [time(Math.min(box.x0, box.x1)), time(Math.max(box.x0, box.x1))];
  const [top, bottom] = [Math.min(box.y0, box.y1), Math.max(box.y0, box.y1)];
  const found: [number, number][] = [];
  view.rows.forEach((row, i) => {
    const middle = rowTop(i, view.scroll) + ROW / 2;
    if (middle < top || middle > bottom) return;
    if (i > 0 && middle < rowTop(0, 0) + ROW) return; // scrolled away under the summary
    const columns = view.columns(row);
    for (let c = columnFrom(columns, from); (columns.times[c] ?? Infinity) <= to; c++)
      found.push(...keysIn(columns, c));
  });
  return found;
}
