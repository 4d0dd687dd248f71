// The wheel over a tick: scales time there, one step of the history for one spin.

import { grab, held, letGo, move } from "../state/hands";
import { rate } from "../state/view";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";

const PAUSE = 600; // ms after which a spin has ended
const STEP = 0.08;

let spin: { hand: number; scale: number; ends: number } | null = null;

export function nudgeTime(spot: PointRef, frame: number, steps: number): void {
  if (spin && held.peek()?.hand !== spin.hand) spin = null;
  if (!spin) {
    if (held.peek() || !mayEdit()) return;
    spin = { hand: grab("tangent", spot, frame / rate.peek()), scale: 0, ends: 0 };
  }
  clearTimeout(spin.ends);
  spin.scale += STEP * steps;
  move({ time_scale: spin.scale });
  spin.ends = window.setTimeout(() => {
    if (spin && held.peek()?.hand === spin.hand) letGo();
    spin = null;
  }, PAUSE);
}

export function spinning(): boolean {
  return spin !== null;
}
