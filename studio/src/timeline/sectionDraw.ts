// Draws the sections of a take: bars side by side, each with its name, that cannot be dragged.

import { sentence } from "../controls/text";
import type { TimeAxis } from "./axis";
import { xOf } from "./axis";
import { faded, type Colours } from "./colours";
import { ROW } from "./layout";
import type { SectionBar } from "./row";
import { cut } from "./surface";

const NAMED = 22; // px, from which on a bar carries its name

export function drawSections(
  c: CanvasRenderingContext2D,
  view: { axis: TimeAxis; rate: number },
  sections: readonly SectionBar[],
  theme: Colours,
): void {
  c.font = `11px ${theme.font}`;
  c.textAlign = "left";
  sections.forEach(({ name, start, end }, i) => {
    const [from, to] = [start, end].map((time) => xOf(view.axis, time * view.rate)) as [
      number,
      number,
    ];
    c.fillStyle = faded(theme.ink, i % 2 ? 0.16 : 0.1); // neighbours differ
    c.fillRect(from, 3, Math.max(to - from, 1), ROW - 7);
    c.fillStyle = faded(theme.ink, 0.55);
    c.fillRect(from, 3, 1, ROW - 7);
    const left = Math.max(from, 0) + 5; // the name stays in sight while any of the bar is
    if (to - left < NAMED) return;
    c.fillStyle = theme.ink;
    c.fillText(cut(c, sentence(name), to - left - 3), left, ROW / 2);
  });
}
