// The ruler: frames, playback range, what lies outside the take. The playhead lies over it all.

import { frameTicks, xOf, type TimeAxis } from "./axis";
import { faded, type Colours } from "./colours";
import { drawBracket, type ShownRange } from "./editRange";
import { LABELS, RULER, STRIP } from "./layout";
import { frameText } from "./frameText";
import { level, upright } from "./surface";

export interface RulerState {
  axis: TimeAxis;
  width: number; // px, with the names at the left
  height: number;
  last: number; // frame
  range: readonly [number, number];
  lit: "start" | "end" | null; // the end of the range under the pointer
  edit: ShownRange | null; // the frames an edit may change
  litEdit: boolean;
}

export function drawRuler(c: CanvasRenderingContext2D, info: RulerState, theme: Colours): void {
  const { axis, width } = info;
  c.fillStyle = theme.panel;
  c.fillRect(0, 0, width, RULER);
  c.save();
  c.beginPath();
  c.rect(LABELS, 0, width - LABELS, RULER);
  c.clip();
  c.translate(LABELS, 0);
  c.fillStyle = theme.raised;
  c.fillRect(
    xOf(axis, info.range[0]),
    STRIP,
    xOf(axis, info.range[1]) - xOf(axis, info.range[0]),
    RULER,
  );
  drawTicks(c, info, theme);
  drawRange(c, info, theme);
  if (info.edit) drawBracket(c, axis, info.edit, info.litEdit, theme);
  c.restore();
  c.fillStyle = theme.edge;
  level(c, 0, width, RULER - 1);
}

function drawTicks(
  c: CanvasRenderingContext2D,
  { axis, width, last }: RulerState,
  theme: Colours,
): void {
  c.font = `11px ${theme.font}`;
  c.textAlign = "center";
  for (const tick of frameTicks(axis, width - LABELS)) {
    const inside = tick.at >= 0 && tick.at <= last;
    const fifth = tick.at % 5 === 0;
    c.fillStyle = inside ? theme.faint : theme.edge;
    upright(c, xOf(axis, tick.at), RULER - (tick.label ? 8 : fifth ? 6 : 4), RULER - 1);
    if (!tick.label) continue;
    c.fillStyle = theme.quiet;
    c.fillText(tick.label, xOf(axis, tick.at), STRIP + 9);
  }
}

/** The playback range: a line along the foot of the ruler with a handle at each end. */
function drawRange(c: CanvasRenderingContext2D, info: RulerState, theme: Colours): void {
  const [from, to] = info.range.map((frame) => xOf(info.axis, frame)) as [number, number];
  c.fillStyle = theme.accent;
  c.fillRect(from, RULER - 3, to - from, 2);
  for (const [x, side, end] of [
    [from, 1, "start"],
    [to, -1, "end"],
  ] as const) {
    c.fillStyle = info.lit === end ? theme.ink : theme.accent;
    c.beginPath();
    c.moveTo(x, RULER - 1);
    c.lineTo(x, RULER - 11);
    c.lineTo(x + 3 * side, RULER - 11);
    c.lineTo(x + 8 * side, RULER - 1);
    c.fill();
  }
}

/** What does not play is shaded: outside the playback range a little, outside the take more. */
export function shadeOutside(c: CanvasRenderingContext2D, info: RulerState, theme: Colours): void {
  const { axis, width, height } = info;
  const shade = (from: number, to: number, share: number) => {
    const x0 = Math.max(from, LABELS);
    const x1 = Math.min(to, width);
    c.fillStyle = faded(theme.page, share);
    if (x1 > x0) c.fillRect(x0, RULER, x1 - x0, height - RULER);
  };
  const at = (frame: number) => LABELS + xOf(axis, frame);
  shade(LABELS, at(0), 0.75);
  shade(at(info.last), width, 0.75);
  shade(at(0), at(info.range[0]), 0.4);
  shade(at(info.range[1]), at(info.last), 0.4);
  c.fillStyle = theme.edge;
  for (const frame of [0, info.last]) if (at(frame) > LABELS) upright(c, at(frame), RULER, height);
}

export function drawPlayhead(
  c: CanvasRenderingContext2D,
  axis: TimeAxis,
  frame: number,
  width: number,
  height: number,
  theme: Colours,
): void {
  const x = LABELS + xOf(axis, frame);
  if (x < LABELS - 1 || x > width) return;
  const text = frameText(frame);
  c.font = `600 11px ${theme.font}`;
  c.textAlign = "center";
  const half = Math.max(c.measureText(text).width / 2 + 5, 11);
  const middle = Math.min(Math.max(x, LABELS + half), width - half);
  c.fillStyle = theme.accent;
  upright(c, x - 0.5, STRIP + 3, height);
  c.beginPath();
  c.roundRect(middle - half, STRIP + 1, 2 * half, 15, 4);
  c.fill();
  c.fillStyle = theme["on-accent"];
  c.fillText(text, middle, STRIP + 9);
}
