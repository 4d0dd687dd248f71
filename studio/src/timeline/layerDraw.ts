// Draws the bars of layers: dashed where muted, brighter where selected.

import { faded, type Colours } from "./colours";
import type { LayerBar } from "./row";
import { ROW } from "./layout";
import { cut } from "./surface";

export const EYE = 18; // px, the eye before a layer's name
const THINNEST = 3; // px, of bars that share a row
const NAMED = 40; // px, from which on a bar carries its name

export interface LayerLook {
  from: number; // px
  to: number;
  chosen: boolean;
  lit: boolean;
}

/** Top and height in a row; bars of other lanes lie above and below. */
export function laneOf({ lane, lanes }: LayerBar, shared: boolean): [top: number, height: number] {
  if (!shared || lanes === 1) return [3, ROW - 7];
  const step = Math.max((ROW - 5) / lanes, THINNEST - 1);
  const top = ROW - 3 - step * (lane + 1);
  return [Math.max(top, 2), Math.max(step - 1, THINNEST - 1)];
}

export function drawLayer(
  c: CanvasRenderingContext2D,
  bar: LayerBar,
  { from, to, chosen, lit }: LayerLook,
  shared: boolean,
  theme: Colours,
): void {
  const [top, height] = laneOf(bar, shared);
  const thin = height < 8;
  const strength = bar.muted ? 0.1 : thin ? 0.55 : 0.3;
  c.save();
  c.beginPath();
  c.roundRect(from + 0.5, top + 0.5, Math.max(to - from - 1, 1), height - 1, thin ? 1 : 3);
  c.fillStyle = faded(theme.layer, strength + (chosen ? 0.15 : lit ? 0.1 : 0));
  c.fill();
  if (bar.muted) c.setLineDash([3, 3]);
  c.strokeStyle = chosen ? theme.ink : faded(theme.layer, bar.muted ? 0.6 : 1);
  c.lineWidth = chosen && !thin ? 1.5 : 1;
  if (!thin || chosen) c.stroke();
  c.restore();
  if (!thin) drawTitle(c, bar, from, to, theme);
}

/** The name stays in sight while any of the bar is. */
function drawTitle(
  c: CanvasRenderingContext2D,
  bar: LayerBar,
  from: number,
  to: number,
  theme: Colours,
): void {
  const left = Math.max(from, 0) + 6;
  if (to - left < NAMED) return;
  c.font = `11px ${theme.font}`;
  c.textAlign = "left";
  c.fillStyle = bar.muted ? theme.quiet : theme.ink;
  const share = bar.weight === 1 ? "" : `, ${Math.round(100 * bar.weight)} %`;
  c.fillText(cut(c, bar.name + share, to - left - 6), left, ROW / 2);
}

const SHAPES = {
  open: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z M6.4 8a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0",
  shut: "M1.5 7.2S4 10.8 8 10.8s6.5-3.6 6.5-3.6M3.6 9.6 2.4 11.4M8 10.8V13M12.4 9.6l1.2 1.8",
};

/** An eye, open or shut, 14 px across. */
export function drawEye(
  c: CanvasRenderingContext2D,
  x: number,
  y: number,
  open: boolean,
  colour: string,
): void {
  c.save();
  c.translate(x, y - 7);
  c.scale(14 / 16, 14 / 16);
  c.strokeStyle = colour;
  c.lineWidth = 1.4;
  c.lineCap = c.lineJoin = "round";
  c.stroke(new Path2D(SHAPES[open ? "open" : "shut"]));
  c.restore();
}
