// The wheel over a tick scales time there; one step per spin.

import {
  beginInteraction,
  interaction,
  commitInteraction,
  updateInteraction,
} from "../state/interaction";
import { rate } from "../state/view";
import { toolFor } from "../tools/shared/registry";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";

const PAUSE = 600; // ms after which a spin has ended
const STEP = 0.08;

let spin: { id: number; scale: number; ends: number } | null = null;

export function scaleTimeByWheel(point: PointRef, frame: number, steps: number): void {
  if (spin && interaction.peek()?.id !== spin.id) spin = null;
  if (!spin) {
    if (interaction.peek() || !mayEdit()) return;
    spin = {
      id: beginInteraction(toolFor("time").name, point, frame / rate.peek()),
      scale: 0,
      ends: 0,
    };
  }
  clearTimeout(spin.ends);
  spin.scale += STEP * steps;
  updateInteraction({ time_scale: spin.scale });
  spin.ends = window.setTimeout(() => {
    if (spin && interaction.peek()?.id === spin.id) commitInteraction();
    spin = null;
  }, PAUSE);
}

export function spinning(): boolean {
  return spin !== null;
}
