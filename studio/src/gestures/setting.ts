// An option of the panel as a gesture: begins when it is moved, commits when it is released.

import {
  beginInteraction,
  cancelInteraction,
  interaction,
  setInteractionOptions,
} from "../state/interaction";
import { traitsOf } from "../state/toolTraits";
import { frame, options, points, rate, tool } from "../state/view";
import { toolOf } from "../tools/shared/registry";
import { activeGesture, type ActiveGesture } from "../viewport/activeGesture";
import { stage } from "../viewport/stage";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { limbChannels } from "./limbChannels";
import { releaseInteraction } from "./release";

let active: Setting | null = null; // from the first move of a control until its release

/** Whether moving an option of a tool is a gesture: it understands settings, and no drags or this option by itself. */
export function isTuned(name: string, option: string): boolean {
  const { gestures, tunes } = toolOf(name);
  const alone = !gestures.includes("drag") || tunes?.includes(option) === true;
  return gestures.includes("setting") && alone;
}

/** Moves an option of the active tool; false where its gesture was cancelled and is not released yet. */
export function moveOption(name: string, value: boolean | number | string | null): boolean {
  const own = tool.peek();
  const begins = !active && !interaction.peek() && isTuned(own, name) && mayEdit();
  if (begins) active = new Setting(own, traitsOf(own).targetsPoint ? points.peek().at(-1) : null);
  if (active?.ended) return false;
  const now = options.peek();
  options.value = { ...now, [own]: { ...now[own], [name]: value } };
  if (active) active.changed = true;
  else setInteractionOptions(); // an interaction in progress follows
  return true;
}

export function releaseOption(): void {
  active?.commit();
  active = null;
}

class Setting implements ActiveGesture {
  changed = false;
  ended = false;
  private readonly id: number;
  private readonly before: ReturnType<typeof options.peek>[string] | undefined;

  constructor(
    private readonly name: string,
    point: PointRef | null = null,
  ) {
    this.before = options.peek()[name];
    stage?.opening.dragged(name);
    const context = point ? { channels: limbChannels(point) } : {};
    this.id = beginInteraction(name, point, frame.peek() / rate.peek(), context);
    activeGesture.value = this;
  }

  to(): void {}

  step(): void {
    if (this.ended) return;
    if (interaction.peek()?.id !== this.id) return this.end();
    if (this.changed) setInteractionOptions();
    this.changed = false;
  }

  commit(): void {
    this.step();
    if (this.ended) return;
    releaseInteraction();
    if (toolOf(this.name).tunes) this.restore(); // or the next drag would do it again
    this.end();
  }

  cancel(): void {
    this.restore();
    if (interaction.peek()?.id === this.id) cancelInteraction();
    this.end();
  }

  private restore(): void {
    options.value = { ...options.peek(), [this.name]: this.before ?? {} };
  }

  private end(): void {
    this.ended = true;
    if (activeGesture.peek() === this) activeGesture.value = null;
  }
}
