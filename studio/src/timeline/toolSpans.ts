// Stretches of time that a tool shows during an interaction: bars along the foot of the sheet.

import { computed } from "@preact/signals-core";
import { OVERLAY_LOOKS } from "../controls/overlayStyle";
import { previews } from "../state/document";
import { rate } from "../state/view";
import type { SpanOverlay } from "../wire/messages";
import { xOf, type TimeAxis } from "./axis";
import { faded, type Colours } from "./colours";
import { LABELS, RULER } from "./layout";
import { cut } from "./surface";

const BAR = 16; // px

export const toolSpans = computed<SpanOverlay[]>(() =>
  [...previews.value.values()]
    .flatMap((preview) => preview.overlays)
    .filter((each) => each.shape === "span"),
);

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
  axis: TimeAxis,
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
    const [from, to] = [span.start, span.end].map((time) => LABELS + xOf(axis, time * rate.value));
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
