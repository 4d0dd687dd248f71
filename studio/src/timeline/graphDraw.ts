// Draws the graph: grid, curves beyond their keys dashed, keys, and the handles of chosen keys.

import { frameTicks, valueTicks, xOf, yOf } from "./axis";
import { axisColour, faded, type Colours } from "./colours";
import { keyAfter, keyAt, keyCount, type Keyed, type Pen } from "./curve";
import { handlePlace, placeOf, readAt, type GraphView } from "./graphHit";
import { LABELS, RULER } from "./layout";
import { diamond, disc } from "./keyMarks";
import type { Hover } from "./sheetState";
import { strokeBeyond, strokeDense, strokeKeyed } from "./strokes";
import { level, upright } from "./surface";

export interface GraphDrawn extends GraphView {
  width: number;
  height: number;
  still: ReadonlyMap<number, Keyed>;
  live: ReadonlyMap<number, Keyed>;
  partOf: (channel: number) => string; // "x"
  hover: Hover | null;
}

export function drawGraph(c: CanvasRenderingContext2D, info: GraphDrawn, theme: Colours): void {
  c.save();
  c.beginPath();
  c.rect(LABELS, RULER, info.width - LABELS, info.height - RULER);
  c.clip();
  drawGrid(c, info, theme);
  for (const channel of info.channels) {
    const still = info.still.get(channel);
    const live = info.live.get(channel);
    const colour = axisColour(theme, info.partOf(channel));
    if (still) drawCurve(c, info, channel, still, colour, live ? 0.3 : 1);
    if (live) drawCurve(c, info, channel, live, colour, 1);
  }
  drawHandles(c, info, theme);
  for (const channel of info.channels) drawKeys(c, info, channel, theme);
  drawLit(c, info, theme);
  drawValues(c, info, theme);
  c.restore();
}

function drawGrid(c: CanvasRenderingContext2D, info: GraphDrawn, theme: Colours): void {
  c.fillStyle = faded(theme.edge, 0.45);
  for (const tick of frameTicks(info.axis, info.width - LABELS))
    if (tick.label) upright(c, LABELS + xOf(info.axis, tick.at), RULER, info.height);
  for (const tick of valueTicks(info.values, info.height - RULER)) {
    c.fillStyle = faded(theme.edge, tick.at === 0 ? 1 : 0.45);
    level(c, LABELS, info.width, RULER + yOf(info.values, tick.at));
  }
}

function drawValues(c: CanvasRenderingContext2D, info: GraphDrawn, theme: Colours): void {
  c.font = `10.5px ${theme.font}`;
  c.textAlign = "left";
  for (const tick of valueTicks(info.values, info.height - RULER)) {
    const y = RULER + yOf(info.values, tick.at);
    if (y < RULER + 7 || y > info.height - 6) continue;
    c.fillStyle = faded(theme.panel, 0.8);
    c.fillRect(LABELS, y - 7, c.measureText(tick.label).width + 10, 14);
    c.fillStyle = theme.quiet;
    c.fillText(tick.label, LABELS + 5, y + 0.5);
  }
}

function drawCurve(
  c: CanvasRenderingContext2D,
  info: GraphDrawn,
  channel: number,
  curve: Keyed,
  colour: string,
  share: number,
): void {
  const pen = penOn(c, info, channel);
  const [from] = readAt(info, channel, LABELS, 0);
  const [to] = readAt(info, channel, info.width, 0);
  const perKey =
    ((info.width - LABELS) / Math.max(1, keyAfter(curve, to) - keyAfter(curve, from))) | 0;
  c.strokeStyle = faded(colour, share);
  c.lineWidth = info.hover?.channel === channel ? 2.5 : 1.5;
  c.lineJoin = "round";
  c.beginPath();
  if (perKey < 2) strokeDense(curve, from, to, (to - from) / (info.width - LABELS), pen);
  else strokeKeyed(curve, from, to, pen);
  c.stroke();
  c.beginPath();
  c.setLineDash([5, 4]);
  c.lineWidth = 1;
  strokeBeyond(curve, 0, from, to, pen);
  strokeBeyond(curve, 1, from, to, pen);
  c.stroke();
  c.setLineDash([]);
}

function penOn(c: CanvasRenderingContext2D, info: GraphView, channel: number): Pen {
  const x = (time: number) => LABELS + xOf(info.axis, time * info.rate);
  const { scale, shift } = info.lens(channel);
  const y = (value: number) => RULER + yOf(info.values, value * scale + shift);
  return {
    moveTo: (time, value) => c.moveTo(x(time), y(value)),
    lineTo: (time, value) => c.lineTo(x(time), y(value)),
    bezierTo: (t1, v1, t2, v2, time, value) =>
      c.bezierCurveTo(x(t1), y(v1), x(t2), y(v2), x(time), y(value)),
  };
}

function drawKeys(
  c: CanvasRenderingContext2D,
  info: GraphDrawn,
  channel: number,
  theme: Colours,
): void {
  const curve = info.keys.get(channel);
  if (!curve) return;
  const [from] = readAt(info, channel, LABELS - 10, 0);
  const [to] = readAt(info, channel, info.width + 10, 0);
  const chosen = info.chosen.get(channel);
  const picked: [number, number][] = [];
  c.beginPath();
  let before = -Infinity;
  for (let key = keyAfter(curve, from); key < keyCount(curve); key++) {
    const { time, value } = keyAt(curve, key);
    if (time > to) break;
    const [x, y] = placeOf(info, channel, time, value);
    if (chosen?.has(key)) picked.push([x, y]);
    else if (x - before >= 3) {
      diamond(c, x, y, 4.5);
      before = x;
    }
  }
  paint(c, theme.key, theme.panel, 1);
  c.beginPath();
  for (const [x, y] of picked) diamond(c, x, y, 5.5);
  paint(c, theme.chosen, theme.ink, 1.4);
}

function drawHandles(c: CanvasRenderingContext2D, info: GraphDrawn, theme: Colours): void {
  const tips: [number, number][] = [];
  c.beginPath();
  for (const channel of info.channels)
    for (const key of info.chosen.get(channel) ?? []) {
      const curve = info.keys.get(channel);
      if (!curve || key >= keyCount(curve)) continue;
      const { time, value } = keyAt(curve, key);
      for (const side of [0, 1] as const) {
        const tip = handlePlace(info, channel, key, side);
        if (!tip) continue;
        c.moveTo(...placeOf(info, channel, time, value));
        c.lineTo(...tip);
        tips.push(tip);
      }
    }
  c.strokeStyle = faded(theme.ink, 0.55);
  c.lineWidth = 1;
  c.stroke();
  c.beginPath();
  for (const [x, y] of tips) disc(c, x, y, 3);
  paint(c, theme.panel, theme.ink, 1.3);
}

/** What a drag would move. */
function drawLit(c: CanvasRenderingContext2D, info: GraphDrawn, theme: Colours): void {
  const lit = info.hover?.key;
  const curve = lit && info.keys.get(lit.channel);
  if (!curve || lit.key >= keyCount(curve)) return;
  c.beginPath();
  if (lit.side === null) {
    const { time, value } = keyAt(curve, lit.key);
    diamond(c, ...placeOf(info, lit.channel, time, value), 7);
  } else {
    const tip = handlePlace(info, lit.channel, lit.key, lit.side ? 1 : 0);
    if (tip) disc(c, ...tip, 5);
  }
  paint(c, faded(theme.chosen, 0.7), theme.ink, 1.2);
}

function paint(c: CanvasRenderingContext2D, fill: string, line: string, width: number): void {
  c.fillStyle = fill;
  c.strokeStyle = line;
  c.lineWidth = 2 * width;
  c.stroke();
  c.fill();
}
