// A canvas at device resolution, measured in CSS pixels of the interface, whose size can be chosen.

import { uiScale } from "../state/view";

/** Device pixels in one of the interface. */
export function pixelsPer(): number {
  return devicePixelRatio * uiScale.value;
}

export interface Surface {
  canvas: HTMLCanvasElement;
  /** Sized anew and empty. */
  begin(): CanvasRenderingContext2D;
}

/** With a label it can have the keys; without one it is hidden from screen readers. */
export function surface(place: HTMLElement, name: string, label = ""): Surface {
  const canvas = document.createElement("canvas");
  if (label) {
    canvas.tabIndex = 0;
    canvas.role = "application";
    canvas.ariaLabel = label;
  } else canvas.ariaHidden = "true";
  canvas.className = name;
  place.append(canvas);
  const found = canvas.getContext("2d");
  if (!found) throw new Error("this browser draws no 2D canvas");
  const context = found;
  return {
    canvas,
    begin() {
      const ratio = pixelsPer();
      const width = Math.round(canvas.clientWidth * ratio);
      const height = Math.round(canvas.clientHeight * ratio);
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
      context.textBaseline = "middle";
      return context;
    },
  };
}

/** One hairline, whole device pixels wide. */
export function upright(
  context: CanvasRenderingContext2D,
  x: number,
  y0: number,
  y1: number,
): void {
  context.fillRect(sharp(x), y0, Math.max(1, Math.round(pixelsPer())) / pixelsPer(), y1 - y0);
}

export function level(context: CanvasRenderingContext2D, x0: number, x1: number, y: number): void {
  context.fillRect(x0, sharp(y), x1 - x0, Math.max(1, Math.round(pixelsPer())) / pixelsPer());
}

function sharp(x: number): number {
  return Math.round(x * pixelsPer()) / pixelsPer();
}

/** Text no wider than its place, with … where it had to be cut. */
export function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > width) length--;
  return `${text.slice(0, length)}…`;
}
