// Strokes drawn flat over the viewport.

import { OVERLAY_LOOKS, type OverlayStyle } from "../controls/overlayStyle";
import type { Vec2 } from "../wire/messages";
import "./labels.css";

const SVG = "http://www.w3.org/2000/svg";

export interface StrokeLine {
  points: readonly Vec2[]; // px
  style: OverlayStyle;
}

export class StrokeLines {
  private readonly place = document.createElementNS(SVG, "svg");
  private readonly lines: SVGPolylineElement[] = [];

  constructor(over: HTMLElement) {
    this.place.classList.add("strings");
    over.append(this.place);
  }

  show(strokes: readonly StrokeLine[]): void {
    while (this.lines.length < strokes.length) {
      const made = document.createElementNS(SVG, "polyline");
      made.setAttribute("class", "stroke");
      this.lines.push(made);
      this.place.append(made);
    }
    this.lines.forEach((line, i) => draw(line, strokes[i]));
  }
}

function draw(line: SVGPolylineElement, stroke: StrokeLine | undefined): void {
  line.style.display = stroke && stroke.points.length > 1 ? "" : "none";
  if (!stroke) return;
  const { colour, opacity } = OVERLAY_LOOKS[stroke.style];
  line.style.stroke = `var(--${colour})`;
  line.style.strokeOpacity = String(opacity);
  line.style.strokeDasharray = stroke.style === "reference" ? "6 5" : "";
  const points = stroke.points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  if (line.getAttribute("points") !== points) line.setAttribute("points", points);
}
