// Draws the dope sheet: only the rows in view, and only marks that can be distinguished.

import { xOf } from "./axis";
import { faded, type Colours } from "./colours";
import { columnFrom, RUN, type Columns } from "./columns";
import { WIDTH, type Keyed } from "./curve";
import { barOf, type DopeView } from "./dopeHit";
import type { Chosen } from "./trackKeys";
import { drawEye, drawLayer, EYE } from "./layerDraw";
import { drawEvents } from "./eventDraw";
import { drawSections } from "./sectionDraw";
import { LABELS, ROW, rowsInView, rowTop } from "./layout";
import {
  diamond,
  disc,
  drawConstraintBar,
  drawContact,
  drawPin,
  drawFootplantBar,
  drawSymbol,
} from "./keyMarks";
import type { Row } from "./row";
import type { Hover } from "./sheetState";
import { cut, level } from "./surface";

export interface DopeDrawn extends DopeView {
  width: number;
  height: number;
  keys: ReadonlyMap<number, Keyed>;
  chosen: Chosen;
  chosenJoints: ReadonlySet<number>;
  chosenChannels: ReadonlySet<number>;
  selectedConstraint: { kind: string; index: number } | null;
  chosenLayer: number;
  draggedBar: { kind: string; index: number; start: number; end: number } | null;
  hover: Hover | null;
}

const AUTO = [2, 3]; // handle kinds that set themselves

export function drawDope(c: CanvasRenderingContext2D, info: DopeDrawn, theme: Colours): void {
  const [first, last] = rowsInView(info.rows.length, info.scroll, info.height);
  c.save();
  c.beginPath();
  c.rect(0, rowTop(0, 0) + ROW, info.width, info.height);
  c.clip();
  for (let i = first; i <= last; i++) drawRow(c, info, i, theme);
  c.restore();
  if (info.rows.length) drawRow(c, info, 0, theme);
}

function drawRow(
  c: CanvasRenderingContext2D,
  info: DopeDrawn,
  index: number,
  theme: Colours,
): void {
  const row = info.rows[index];
  if (!row) return;
  const top = rowTop(index, info.scroll);
  drawGround(c, info, row, top, theme);
  c.save();
  c.beginPath();
  c.rect(LABELS, top, info.width - LABELS, ROW);
  c.clip();
  c.translate(LABELS, top);
  if (row.kind === "bars") drawBars(c, info, row, theme);
  else if (row.events) drawEvents(c, info, row, info.hover, theme);
  else if (row.sections) drawSections(c, info, row.sections, theme);
  else if (row.layers) drawLayers(c, info, row, theme);
  else drawKeys(c, info, row, theme);
  c.restore();
  drawName(c, info, row, top, theme);
}

function drawGround(
  c: CanvasRenderingContext2D,
  info: DopeDrawn,
  row: Row,
  top: number,
  theme: Colours,
): void {
  if (row.kind === "summary") {
    c.fillStyle = theme.panel;
    c.fillRect(0, top, info.width, ROW);
    c.fillStyle = faded(theme.ink, 0.05);
    c.fillRect(0, top, info.width, ROW);
  }
  if (isChosen(info, row)) {
    c.fillStyle = faded(theme.accent, row.kind === "joint" || row.kind === "channel" ? 0.16 : 0.07);
    c.fillRect(0, top, info.width, ROW);
  }
  c.fillStyle = faded(theme.edge, row.depth === 0 ? 0.9 : 0.4);
  level(c, 0, info.width, top + ROW - 1);
}

function isChosen(info: DopeDrawn, row: Row): boolean {
  if (row.kind === "layer") return row.layers?.[0]?.index === info.chosenLayer;
  if (row.kind === "channel" && info.chosenChannels.has(row.channels[0] ?? -1)) return true;
  if (row.bars[0]?.kind === "constraint")
    return (
      info.selectedConstraint?.kind === "constraint" &&
      info.selectedConstraint.index === row.bars[0].index
    );
  return info.chosenJoints.has(row.joint) && row.kind !== "channel";
}

function drawName(
  c: CanvasRenderingContext2D,
  info: DopeDrawn,
  row: Row,
  top: number,
  theme: Colours,
): void {
  const x = 20 + 12 * row.depth;
  const y = top + ROW / 2;
  c.font = `${row.depth === 0 ? "500 " : ""}12px ${theme.font}`;
  c.textAlign = "left";
  c.fillStyle = row.depth === 0 ? theme.ink : theme.quiet;
  const symbol = row.kind === "bars" ? 14 : row.kind === "layer" ? EYE : 0;
  c.fillText(cut(c, row.label, LABELS - x - symbol - 8), x + symbol, y + 0.5);
  if (row.kind === "bars") drawSymbol(c, row.bars[0]?.kind ?? "pin", x, y, theme);
  const layer = row.kind === "layer" ? row.layers?.[0] : undefined;
  if (layer) drawEye(c, x - 2, y, !layer.muted, layer.muted ? theme.faint : theme.ink);
  if (row.open === null) return;
  c.fillStyle = theme.quiet;
  c.beginPath();
  c.moveTo(x - 12, row.open ? y - 2 : y - 4);
  c.lineTo(row.open ? x - 4 : x - 7, row.open ? y - 2 : y);
  c.lineTo(row.open ? x - 8 : x - 12, row.open ? y + 3 : y + 4);
  c.fill();
  if (isChosen(info, row) && row.kind === "joint") {
    c.fillStyle = theme.accent;
    c.fillRect(0, top, 2, ROW - 1);
  }
}

function drawKeys(c: CanvasRenderingContext2D, info: DopeDrawn, row: Row, theme: Colours): void {
  const columns = info.columns(row);
  const xAt = (i: number) => xOf(info.axis, (columns.times[i] as number) * info.rate);
  const first = Math.max(0, columnFrom(columns, info.axis.start / info.rate) - 1);
  const end = info.axis.start + (info.width - LABELS) / info.axis.perFrame;
  const last = Math.min(columns.times.length - 1, columnFrom(columns, end / info.rate) + 1);
  drawRuns(c, columns, first, last, xAt, row, theme);
  const marks = {
    plain: [] as number[],
    auto: [] as number[],
    chosen: [] as number[],
    chosenAuto: [] as number[],
  };
  const before = { true: -Infinity, false: -Infinity };
  for (let i = first; i <= last; i++) {
    const chosen = anyChosen(columns, i, info.chosen);
    const x = xAt(i);
    if (x - before[`${chosen}`] < 1.5) continue; // cannot be distinguished
    const auto = row.kind === "channel" && isAuto(info.keys, columns, i);
    marks[chosen ? (auto ? "chosenAuto" : "chosen") : auto ? "auto" : "plain"].push(x);
    before[`${chosen}`] = x;
  }
  const r = row.depth === 0 ? 5 : 4.5;
  fillMarks(c, marks.plain, marks.auto, r, theme.key, theme.panel, 1);
  fillMarks(c, marks.chosen, marks.chosenAuto, r + 1, theme.chosen, theme.ink, 1.4);
  const lit = info.hover?.column;
  if (lit?.row === row.id) {
    const x = xOf(info.axis, lit.time * info.rate);
    fillMarks(c, [x], [], r + 2, faded(theme.chosen, 0.6), theme.ink, 1);
  }
}

function fillMarks(
  c: CanvasRenderingContext2D,
  plain: readonly number[],
  auto: readonly number[],
  r: number,
  fill: string,
  line: string,
  width: number,
): void {
  c.beginPath();
  for (const x of plain) diamond(c, x, ROW / 2, r);
  for (const x of auto) disc(c, x, ROW / 2, r - 0.8);
  c.fillStyle = fill;
  c.strokeStyle = line;
  c.lineWidth = 2 * width; // its inner half lies under the fill, so that crowded marks stay solid
  c.stroke();
  c.fill();
}

function anyChosen(columns: Columns, column: number, chosen: Chosen): boolean {
  if (chosen.size === 0) return false;
  for (let i = columns.first[column] as number; i < (columns.first[column + 1] as number); i++)
    if (chosen.get(columns.channel[i] as number)?.has(columns.key[i] as number)) return true;
  return false;
}

function isAuto(keys: ReadonlyMap<number, Keyed>, columns: Columns, column: number): boolean {
  const at = columns.first[column] as number;
  const rows = keys.get(columns.channel[at] as number)?.rows;
  return AUTO.includes(rows?.[(columns.key[at] as number) * WIDTH + 7] ?? 0);
}

function drawRuns(
  c: CanvasRenderingContext2D,
  columns: Columns,
  first: number,
  last: number,
  xAt: (i: number) => number,
  row: Row,
  theme: Colours,
): void {
  const share = row.kind === "channel" ? 0.45 : 0.32;
  for (let i = first; i < last; i++) {
    const run = columns.run[i];
    const x0 = xAt(i);
    const x1 = xAt(i + 1);
    if (run === RUN.none || x1 - x0 < 4) continue;
    c.fillStyle = faded(theme.key, share);
    if (run === RUN.constant) c.fillRect(x0, ROW / 2 - 3, x1 - x0, 6);
    else if (run === RUN.linear) c.fillRect(x0, ROW / 2 - 0.75, x1 - x0, 1.5);
    else for (let x = x0 + 6; x < x1 - 3; x += 6) c.fillRect(x, ROW / 2 - 1, 2, 2);
  }
}

function drawLayers(c: CanvasRenderingContext2D, info: DopeDrawn, row: Row, theme: Colours): void {
  for (const bar of row.layers ?? []) {
    const [from, to] = barOf(info, bar);
    const look = {
      from,
      to,
      chosen: bar.index === info.chosenLayer,
      lit: info.hover?.layer === bar.index,
    };
    drawLayer(c, bar, look, row.kind === "layers", theme);
  }
}

const THIN = 4; // px: of many bars in a row, smaller ones are drawn as strokes
const MANY = 40;
const BAR_COLOURS = {
  pin: "pin",
  contact: "contact",
  footplant: "contact",
  constraint: "constraint",
} as const;

function drawBars(c: CanvasRenderingContext2D, info: DopeDrawn, row: Row, theme: Colours): void {
  let last = -Infinity;
  c.fillStyle = faded(
    theme[BAR_COLOURS[row.bars[0]?.kind ?? "pin"]],
    row.bars[0]?.kind === "footplant" ? 0.4 : 0.7,
  );
  for (const pointConstraint of row.bars) {
    const is = (other: { kind: string; index: number } | null | undefined) =>
      other?.kind === pointConstraint.kind && other.index === pointConstraint.index;
    const [from, to] = barOf(
      info,
      is(info.draggedBar) && info.draggedBar ? info.draggedBar : pointConstraint,
    );
    if (to < 0 || from > info.width - LABELS) continue;
    const plain =
      row.bars.length > MANY &&
      !is(info.selectedConstraint) &&
      !is(info.hover?.bar) &&
      !is(info.draggedBar);
    if (
      plain &&
      (pointConstraint.end - pointConstraint.start) * info.rate * info.axis.perFrame < THIN
    ) {
      const x = (from + to) / 2;
      if (x - last > 1.5) c.fillRect((last = x), 5, 1.5, ROW - 11); // nearer ones cannot be distinguished
      continue;
    }
    const bar = {
      from,
      to,
      top: 3,
      height: ROW - 7,
      chosen: is(info.selectedConstraint),
      lit: is(info.hover?.bar),
    };
    if (pointConstraint.kind === "pin") drawPin(c, bar, theme);
    else if (pointConstraint.kind === "footplant") drawFootplantBar(c, bar, theme);
    else if (pointConstraint.kind === "constraint") drawConstraintBar(c, bar, theme);
    else drawContact(c, bar, theme);
  }
}
