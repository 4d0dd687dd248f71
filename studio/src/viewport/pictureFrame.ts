// The frame of the shot that is composed, with guides for composition.

import { composed, guides, wipe } from "../state/composition";
import { DIVISIONS, frameIn, type Box } from "./frameBox";
import type { Orbit } from "./orbit";
import "./labels.css";

const SVG = "http://www.w3.org/2000/svg";
export class PictureFrame {
  private readonly place = document.createElementNS(SVG, "svg");
  private readonly outside = document.createElementNS(SVG, "path");
  private readonly lines = document.createElementNS(SVG, "path");

  constructor(over: HTMLElement) {
    this.place.setAttribute("class", "strings picture-frame");
    this.outside.setAttribute("class", "outside");
    this.outside.setAttribute("fill-rule", "evenodd");
    this.lines.setAttribute("class", "guides");
    this.place.append(this.outside, this.lines);
    over.append(this.place);
  }

  update({ size }: Orbit): void {
    const shot = composed.value?.shot;
    this.place.style.display = shot ? "" : "none";
    if (!shot) return;
    const box = frameIn(size, shot.camera.width / shot.camera.height);
    const { x, y, width, height } = box;
    const frame = `M${x} ${y}h${width}v${height}h${-width}z`;
    this.outside.setAttribute("d", `M0 0H${size.x}V${size.y}H0z${frame}`);
    const at = wipe.value === null ? "" : `M${x + wipe.value * width} ${y}v${height}`;
    this.lines.setAttribute("d", frame + guidesIn(box, DIVISIONS[guides.value]) + at);
  }
}

function guidesIn({ x, y, width, height }: Box, shares: readonly number[]): string {
  return shares
    .map((at) => `M${x + at * width} ${y}v${height}M${x} ${y + at * height}h${width}`)
    .join("");
}
