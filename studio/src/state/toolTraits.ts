// What the state needs to know of tools; the registry of tools/ fills it in.

import { signal } from "@preact/signals-core";
import { tool } from "./view";

export interface ToolTraits {
  /** A drag of a prop edits the take of the character that holds it. */
  dragsHeldProps?: boolean;
  /** It can solve constraints without a drag. */
  solvesConstraints?: boolean;
  /** The options that switch footplant detection on and include heels. */
  footplantOptions?: { detect: string; heels: string };
  /** The options that limit an edit to a range of time. */
  rangeOptions?: { start: string; end: string };
  /** The message that begins an interaction names the point that it is about. */
  targetsPoint?: boolean;
  /** The take that it edits, whatever is held; null where it has nothing to edit. */
  subject?: () => { character: string; take: string } | null;
  /** It draws before a gesture what can be dragged; a release commits. */
  drawsAtRest?: boolean;
  /** Options that what it draws before a gesture depends on. */
  restOptions?: () => Record<string, boolean | number | string | null>;
  /** The moment, s, that it draws before a gesture; 0 where it does not matter. */
  restTime?: () => number;
  /** It edits activities: their props are dragged, their events are retimed. */
  editsActivities?: boolean;
  /** The option that keys a pose at its release: the transport's switch stands for it. */
  autoKey?: string;
  /** It composes the picture of a saved camera, which is looked through meanwhile. */
  composes?: boolean;
  /** Its edits add a take, which is shown then. */
  makesTakes?: boolean;
}

const known = signal<ReadonlyMap<string, ToolTraits>>(new Map());

export function registerTraits(name: string, traits: ToolTraits): void {
  known.value = new Map(known.peek()).set(name, traits);
}

export function traitsOf(name: string): ToolTraits {
  return known.value.get(name) ?? {};
}

export function activeTraits(): ToolTraits {
  return traitsOf(tool.value);
}

/** The name of the tool that solves constraints; "" where there is none. */
export function constraintSolver(): string {
  return nameOf((traits) => traits.solvesConstraints === true);
}

/** The name of the tool that edits activities; "" where there is none. */
export function activityEditor(): string {
  return nameOf((traits) => traits.editsActivities === true);
}

function nameOf(fits: (traits: ToolTraits) => boolean): string {
  return [...known.value].find(([, traits]) => fits(traits))?.[0] ?? "";
}
