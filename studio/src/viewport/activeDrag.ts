// The drag in progress in the viewport; gestures set it, the viewport steps and draws it.

import { signal } from "@preact/signals-core";

export interface ActiveDrag {
  to(x: number, y: number, precise: boolean): void;
  lock(axis: number): void;
  /** More or fewer joints of the chain, or segments of the time that may change. */
  adjust(what: "chain" | "reach", steps: number): void;
  /** Called once per drawn frame: sends the newest target. */
  step(): void;
  commit(): void;
  cancel(): void;
  draw(): void;
}

export const activeDrag = signal<ActiveDrag | null>(null);
