// The gesture in progress; gestures set it, the viewport steps and draws it.

import { signal } from "@preact/signals-core";
import type { Action } from "../devices/device";
import type { PointerSample } from "../devices/pointer";

export type { PointerSample };

export interface ActiveGesture {
  /** The pointer moved along these samples, at least one; precisely while Shift is held. */
  to(samples: readonly PointerSample[], precise: boolean): void;
  /** Called once per drawn frame: sends what is new. */
  step(): void;
  /** The release, at a time of the page's clock (s), or now. */
  commit(released?: number): void;
  cancel(): void;
  /** A second finger does not end it. */
  keepsFingers?: boolean;
  /** Whom it leads through the scene: the camera keeps them in view. */
  leads?: string;
  draw?(): void;
  /** Stays open after the release, with what was dragged; the same again does not. */
  hold?(): void;
  /** Keeps to an axis; the same again for none. */
  lock?(axis: number): void;
  /** Asks the puppet that is held for an action. */
  act?(action: Action): void;
  /** More or fewer joints of the chain, or segments of the time that may change. */
  adjust?(what: "chain" | "reach", steps: number): void;
}

export const activeGesture = signal<ActiveGesture | null>(null);
