// Draws the events of an activity: flags on their frames, with names where there is room.

import type { TimeAxis } from "./axis";
import { xOf } from "./axis";
import { faded, type Colours } from "./colours";
import { ROW } from "./layout";
import type { EventMark } from "./row";
import { cut } from "./surface";

const HALF = 5; // px, of a flag
const NAMED = 20; // px, from which on a name is written

export function drawEvents(
  c: CanvasRenderingContext2D,
  view: { axis: TimeAxis; rate: number; width: number },
  events: readonly EventMark[],
  lit: number | null,
  theme: Colours,
): void {
  c.font = `11px ${theme.font}`;
  c.textAlign = "left";
  const byTime = [...events].sort((one, other) => one.time - other.time);
  byTime.forEach(({ index, name, time }, i) => {
    const x = xOf(view.axis, time * view.rate);
    const next = byTime[i + 1];
    const end = next ? xOf(view.axis, next.time * view.rate) - HALF : view.width;
    flag(c, x);
    c.fillStyle = lit === index ? theme.ink : theme.edited;
    c.fill();
    const room = end - x - HALF - 6;
    if (room < NAMED) return;
    c.fillStyle = lit === index ? theme.ink : faded(theme.ink, 0.75);
    c.fillText(cut(c, name, room), x + HALF + 3, ROW / 2 + 0.5);
  });
}

/** A flag that points at its frame. */
function flag(c: CanvasRenderingContext2D, x: number): void {
  c.beginPath();
  c.moveTo(x - HALF, 3);
  c.lineTo(x + HALF, 3);
  c.lineTo(x + HALF, ROW - 9);
  c.lineTo(x, ROW - 3);
  c.lineTo(x - HALF, ROW - 9);
  c.fill();
}
