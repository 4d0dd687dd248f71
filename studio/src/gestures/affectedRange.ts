// The affected range of a drag: how much time on either side follows it, set by the wheel.

import { setInteractionOptions } from "../state/interaction";
import { welcome } from "../state/document";
import { options, rate } from "../state/view";
import { toolOf } from "../tools/shared/registry";

/** Wider or narrower by whole frames; what to say of it, or null for tools without one. */
export function adjustAffectedRange(tool: string, steps: number): string | null {
  const name = toolOf(tool).affectedRange;
  const info = welcome.peek()?.tools.find((each) => each.name === tool);
  const option = info?.options.find((each) => each.name === name);
  if (!name || !option) return null;
  const now = options.peek()[tool] ?? {};
  const frames = widened(Number(now[name] ?? 0) * rate.peek(), steps);
  const low = option.low ?? 0;
  const next = Math.min(Math.max(frames / rate.peek(), low), option.high ?? Infinity);
  options.value = { ...options.peek(), [tool]: { ...now, [name]: next } };
  setInteractionOptions();
  return `Affected range: ${frames} ${frames === 1 ? "frame" : "frames"} on either side`;
}

/** A frame more or fewer; by a tenth where there are many. */
export function widened(frames: number, steps: number): number {
  const whole = Math.round(frames);
  const by = Math.max(Math.round(whole / 10), 1);
  return Math.max(whole + steps * by, 1);
}
