// Stretches of time that a tool shows during an interaction: bars along the foot of the sheet.

import { computed } from "@preact/signals-core";
import { OVERLAY_LOOKS } from "../controls/overlayStyle";
import { overlaysNow } from "../state/restOverlays";
import { rate } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import type { SpanOverlay } from "../wire/messages";
import { xOf, type TimeAxis } from "./axis";
import { faded, type Colours } from "./colours";
import { LABELS, RULER } from "./layout";
import { axis } from "./sheetState";
import { cut } from "./surface";

const BAR = 16; // px
const NEAR = 6; // px from a border within which it is meant

export const toolSpans = computed<SpanOverlay[]>(() =>
  overlaysNow().filter((each) => each.shape === "span"),
);

/** The time of the border between two bars at a place of the sheet, where the tool knows it as a key. */
export function borderAt(x: number, y: number, height: number): number | null {
  if (!activeTool().keyHandle) return null;
  const spans = toolSpans.value;
  const rows = spanRows(spans);
  const near = spans.flatMap((span, i) => {
    const middle = height - (rows[i]! + 1) * (BAR + 2) - 2 + BAR / 2;
    const away = Math.abs(LABELS + xOf(axis.value, span.end * rate.value) - x);
    const goesOn = spans.some((other) => Math.abs(other.start - span.end) < 1e-6);
    return goesOn && Math.abs(y - middle) <= BAR / 2 + 1 && away <= NEAR
      ? [{ time: span.end, away }]
      : [];
  });
  return near.sort((one, other) => one.away - other.away)[0]?.time ?? null;
}

/** Where the border at a frame is on the sheet, px. */
export function borderPlace(frame: number, height: number): [number, number] | null {
  const at = toolSpans.value.findIndex((each) => Math.abs(each.end * rate.value - frame) < 1e-3);
  if (at < 0) return null;
  const row = spanRows(toolSpans.value)[at]!;
  return [LABELS + xOf(axis.value, frame), height - (row + 1) * (BAR + 2) - 2 + BAR / 2];
}

/** The row of each span, so that none lies over another; 0 is the lowest. */
export function spanRows(spans: readonly Pick<SpanOverlay, "start" | "end">[]): number[] {
  const ends: number[] = [];
  const rows = spans.map(() => 0);
  const byStart = spans.map((_, i) => i).sort((a, b) => spans[a]!.start - spans[b]!.start);
  for (const i of byStart) {
    const free = ends.findIndex((end) => end <= spans[i]!.start);
    const row = free < 0 ? ends.length : free;
    ends[row] = spans[i]!.end;
    rows[i] = row;
  }
  return rows;
}

export function drawSpans(
  c: CanvasRenderingContext2D,
  along: TimeAxis,
  width: number,
  height: number,
  theme: Colours,
): void {
  const spans = toolSpans.value;
  const rows = spanRows(spans);
  c.save();
  c.beginPath();
  c.rect(LABELS, RULER, width - LABELS, height - RULER);
  c.clip();
  c.font = `11px ${theme.font}`;
  c.textAlign = "left";
  spans.forEach((span, i) => {
    const { colour, opacity } = OVERLAY_LOOKS[span.style];
    const [from, to] = [span.start, span.end].map((time) => LABELS + xOf(along, time * rate.value));
    const [x, long] = [from!, Math.max(to! - from!, 2)];
    const top = height - (rows[i]! + 1) * (BAR + 2) - 2;
    c.fillStyle = faded(theme[colour], 0.07 * opacity);
    c.fillRect(x, RULER, long, height - RULER);
    c.beginPath();
    c.roundRect(x, top, long, BAR, 3);
    c.fillStyle = theme.panel;
    c.fill();
    c.fillStyle = faded(theme[colour], 0.3 * opacity);
    c.strokeStyle = faded(theme[colour], opacity);
    c.fill();
    c.stroke();
    c.fillStyle = theme.ink;
    if (long > 24) c.fillText(cut(c, span.label, long - 10), x + 5, top + BAR / 2 + 0.5);
  });
  c.restore();
}
