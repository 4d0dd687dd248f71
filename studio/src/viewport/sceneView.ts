// What the parts of the viewport read of it.

import type { Actors } from "./actors";
import type { Orbit } from "./orbit";

export interface SceneView {
  readonly orbit: Orbit;
  readonly actors: Actors;
  /** The element that labels are laid over. */
  readonly place: HTMLElement;
  /** How many frames were drawn so far. */
  readonly drawn: number;
}
