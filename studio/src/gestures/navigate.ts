// Camera navigation by mouse, trackpad and touch.

import { followCharacter } from "../state/view";
import type { Orbit } from "../viewport/orbit";

export type Way = "orbit" | "pan" | "zoom";

/** What a pressed button does to the camera: Blender's middle button, Maya's Alt, and the right one. */
export function wayOf(event: PointerEvent): Way | null {
  if (event.altKey) return event.button === 0 ? "orbit" : event.button === 1 ? "pan" : "zoom";
  if (event.button === 1) return event.shiftKey ? "pan" : event.ctrlKey ? "zoom" : "orbit";
  if (event.button === 2) return event.shiftKey ? "pan" : "orbit";
  return null;
}

export function go(orbit: Orbit, way: Way, dx: number, dy: number): void {
  if (way === "orbit") orbit.turn(dx, dy);
  else if (way === "pan") pan(orbit, dx, dy);
  else orbit.zoom(Math.exp((dy - dx) * 0.006));
}

/** Panning stops the camera from following a character. */
function pan(orbit: Orbit, dx: number, dy: number): void {
  followCharacter.value = false;
  orbit.pan(dx, dy);
}

let trackpad = false;
let lastWheel = -Infinity;

/** Two fingers on a trackpad pan, pinching and wheels zoom; Shift turns. */
export function roll(orbit: Orbit, event: WheelEvent, x: number, y: number): void {
  if (event.timeStamp - lastWheel > 250) trackpad = isTrackpad(event);
  lastWheel = event.timeStamp;
  if (event.ctrlKey) orbit.zoom(Math.exp(event.deltaY * 0.012), x, y);
  else if (trackpad && event.shiftKey) orbit.turn(-event.deltaX, -event.deltaY);
  else if (trackpad) pan(orbit, -event.deltaX, -event.deltaY);
  else orbit.zoom(Math.exp(notches(event) * 0.12), x, y);
}

/** Wheels click in large whole steps up and down; fingers glide. */
function isTrackpad(event: WheelEvent): boolean {
  if (event.deltaMode !== WheelEvent.DOM_DELTA_PIXEL) return false;
  return event.deltaX !== 0 || Math.abs(event.deltaY) < 40 || !Number.isInteger(event.deltaY);
}

/** How many clicks of a wheel. */
export function notches(event: WheelEvent): number {
  const amount = event.deltaY || event.deltaX; // Shift swaps them on some machines
  if (event.deltaMode === WheelEvent.DOM_DELTA_LINE) return amount / 3;
  return Math.max(-3, Math.min(3, amount / 100));
}

/** Two fingers: their middle pans, their distance zooms. */
export class Pinch {
  private last: { x: number; y: number; apart: number } | null = null;

  constructor(private readonly orbit: Orbit) {}

  to(fingers: readonly { x: number; y: number }[]): void {
    const [a, b] = fingers;
    if (!a || !b) return;
    const now = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
    if (this.last) {
      this.orbit.pan(now.x - this.last.x, now.y - this.last.y);
      if (now.apart > 10 && this.last.apart > 10)
        this.orbit.zoom(this.last.apart / now.apart, now.x, now.y);
    }
    this.last = now;
  }
}
