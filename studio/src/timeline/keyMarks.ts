// The shapes of keys and bars. A diamond is a key, a disc one whose handles set themselves,
// a bar between keys holds its value, a thin line runs straight, a dotted one steps.

import { faded, type Colours } from "./colours";

export function diamond(path: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  path.moveTo(x, y - r);
  path.lineTo(x + r, y);
  path.lineTo(x, y + r);
  path.lineTo(x - r, y);
  path.closePath();
}

export function disc(path: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  path.moveTo(x + r, y);
  path.arc(x, y, r, 0, 2 * Math.PI);
}

export interface Bar {
  from: number;
  to: number;
  top: number;
  height: number;
  chosen: boolean;
  lit: boolean;
}

/** A pin: a red bar with a pin head at its beginning. */
export function drawPin(c: CanvasRenderingContext2D, bar: Bar, theme: Colours): void {
  frameBar(c, bar, theme.pin, bar.chosen || bar.lit ? 0.55 : 0.32, theme);
  c.fillStyle = theme.pin;
  const y = bar.top + bar.height / 2;
  c.beginPath();
  c.arc(bar.from + 6, y - 1.5, 3, 0, 2 * Math.PI);
  c.fill();
  c.fillRect(bar.from + 5.25, y + 1, 1.5, 4.5);
}

/** A contact: a green bar, hatched. */
export function drawContact(c: CanvasRenderingContext2D, bar: Bar, theme: Colours): void {
  frameBar(c, bar, theme.contact, bar.chosen || bar.lit ? 0.45 : 0.2, theme);
  c.save();
  c.beginPath();
  c.rect(bar.from + 1, bar.top + 1, bar.to - bar.from - 2, bar.height - 2);
  c.clip();
  c.strokeStyle = faded(theme.contact, 0.75);
  c.lineWidth = 1;
  c.beginPath();
  for (let x = bar.from - bar.height; x < bar.to; x += 6) {
    c.moveTo(x, bar.top + bar.height);
    c.lineTo(x + bar.height, bar.top);
  }
  c.stroke();
  c.restore();
}

/** A constraint: a bar with a line through it. */
export function drawConstraintBar(c: CanvasRenderingContext2D, bar: Bar, theme: Colours): void {
  frameBar(c, bar, theme.constraint, bar.chosen || bar.lit ? 0.45 : 0.2, theme);
  c.fillStyle = faded(theme.constraint, 0.8);
  c.fillRect(bar.from + 4, bar.top + bar.height / 2 - 0.5, Math.max(bar.to - bar.from - 8, 0), 1);
}

/** A detected footplant: the dashed outline of a contact. */
export function drawFootplantBar(c: CanvasRenderingContext2D, bar: Bar, theme: Colours): void {
  c.save();
  if (!bar.lit && !bar.chosen) c.setLineDash([3, 3]);
  frameBar(c, bar, faded(theme.contact, bar.lit || bar.chosen ? 1 : 0.7), 0.1, theme);
  c.restore();
}

function frameBar(
  c: CanvasRenderingContext2D,
  bar: Bar,
  colour: string,
  fill: number,
  theme: Colours,
): void {
  c.beginPath();
  c.roundRect(bar.from + 0.5, bar.top + 0.5, bar.to - bar.from - 1, bar.height - 1, 3);
  c.fillStyle = faded(colour, fill);
  c.fill();
  c.strokeStyle = bar.chosen ? theme.ink : colour;
  c.lineWidth = bar.chosen ? 1.5 : 1;
  c.stroke();
  if (!bar.lit && !bar.chosen) return;
  c.fillStyle = bar.chosen ? theme.ink : colour; // handles
  c.fillRect(bar.from + 1, bar.top + 3, 2, bar.height - 6);
  c.fillRect(bar.to - 3, bar.top + 3, 2, bar.height - 6);
}

/** A little pin or foot on the ground before a name, as the lists have it. */
export function drawSymbol(
  c: CanvasRenderingContext2D,
  kind: "pin" | "contact" | "footplant" | "constraint",
  x: number,
  y: number,
  theme: Colours,
): void {
  if (kind === "pin") {
    c.fillStyle = theme.pin;
    c.beginPath();
    c.arc(x + 4, y - 2, 3, 0, 2 * Math.PI);
    c.fill();
    c.fillRect(x + 3.25, y, 1.5, 5);
    return;
  }
  if (kind === "constraint") {
    c.fillStyle = theme.constraint;
    c.beginPath();
    diamond(c, x + 4, y, 4.5);
    return c.fill();
  }
  c.fillStyle = c.strokeStyle = theme.contact;
  c.lineWidth = 1;
  c.beginPath();
  c.arc(x + 4, y + 2, kind === "footplant" ? 4 : 4.4, Math.PI, 0);
  if (kind === "footplant") c.stroke();
  else c.fill();
  c.fillRect(x - 2, y + 3.4, 12, 1.5);
}
