// Draws the events of an activity: flags on their frames, with names where there is room.

import { confidenceText } from "../controls/text";
import type { TimeAxis } from "./axis";
import { xOf } from "./axis";
import { faded, type Colours } from "./colours";
import { eventLabels } from "./eventLabel";
import { ROW } from "./layout";
import type { Row } from "./row";
import type { Hover } from "./sheetState";
import { cut } from "./surface";

const HALF = 5; // px, of a flag
const NAMED = 20; // px, from which on a name is written

interface Flag {
  time: number; // s
  texts: string[]; // the same, shorter and shorter
  lit: boolean;
  confidence: number | null; // null of an event that is there
}

/** Proposed events are hollow and fainter the less sure they are. */
export function drawEvents(
  c: CanvasRenderingContext2D,
  view: { axis: TimeAxis; rate: number; width: number },
  row: Row,
  hover: Hover | null,
  theme: Colours,
): void {
  c.textAlign = "left";
  const flags = flagsOf(row, hover);
  flags.forEach((flag, i) => {
    const x = xOf(view.axis, flag.time * view.rate);
    const next = flags[i + 1];
    const end = next ? xOf(view.axis, next.time * view.rate) - HALF : view.width;
    drawFlag(c, x, flag, theme);
    const room = end - x - HALF - 6;
    if (room < NAMED) return;
    const proposed = flag.confidence !== null;
    c.font = `${proposed ? "italic " : ""}11px ${theme.font}`;
    c.fillStyle = flag.lit ? theme.ink : faded(theme.ink, proposed ? 0.55 : 0.75);
    const fits = flag.texts.find((text) => c.measureText(text).width <= room);
    c.fillText(fits ?? cut(c, flag.texts.at(-1)!, room), x + HALF + 3, ROW / 2 + 0.5);
  });
}

function flagsOf({ events = [], proposals = [] }: Row, hover: Hover | null): Flag[] {
  const own = events.map(({ index, name, time }): Flag => {
    return { time, texts: eventLabels(name), lit: hover?.event === index, confidence: null };
  });
  const proposed = proposals.map(({ key, name, time, confidence }): Flag => {
    const texts = eventLabels(name);
    texts[0] = `${name} ${confidenceText(confidence)}`;
    return { time, texts, lit: hover?.proposal === key, confidence };
  });
  return [...own, ...proposed].sort((one, other) => one.time - other.time);
}

function drawFlag(
  c: CanvasRenderingContext2D,
  x: number,
  { confidence, lit }: Flag,
  theme: Colours,
): void {
  trace(c, x);
  if (confidence === null) {
    c.fillStyle = lit ? theme.ink : theme.edited;
    c.fill();
    return;
  }
  c.save();
  c.fillStyle = theme.panel;
  c.fill();
  c.globalAlpha = lit ? 1 : 0.4 + 0.6 * confidence;
  c.strokeStyle = lit ? theme.ink : theme.edited;
  c.lineWidth = 1.25;
  c.setLineDash([2.5, 1.5]);
  c.stroke();
  c.restore();
}

/** A flag that points at its frame. */
function trace(c: CanvasRenderingContext2D, x: number): void {
  c.beginPath();
  c.moveTo(x - HALF, 3);
  c.lineTo(x + HALF, 3);
  c.lineTo(x + HALF, ROW - 9);
  c.lineTo(x, ROW - 3);
  c.lineTo(x - HALF, ROW - 9);
  c.closePath();
}
