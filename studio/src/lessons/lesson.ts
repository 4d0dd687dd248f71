// A lesson: steps that say what to do and look at the document, not at clicks, to see that it was done.

import type { MotionCurve } from "../state/document";
import type { PointRef, PointConstraintInfo } from "../wire/messages";

/** What a lesson can see; all of it told by the server or chosen in this window. */
export interface Seen {
  character: string;
  take: string;
  tool: string;
  rate: number;
  points: readonly PointRef[];
  done: readonly string[];
  undone: readonly string[];
  wishes: readonly PointConstraintInfo[]; // of this take
  joints: readonly string[];
  curves: readonly MotionCurve[]; // as they are kept, not as a hand would have them
}

/** Where to act: a part of the page, or a point's curve at a frame. */
export type Target = { css: string } | { joint: string; frame: number };

export interface Step {
  text: string;
  target?: (now: Seen) => Target | null;
  /** Joints whose curves are shown when the step begins; it waits until they were told. */
  shows?: (now: Seen) => PointRef[];
  /** The frame it begins at; playback stops there. */
  frame?: number;
  tool?: string;
  /** Whether it is done, seen against the step's beginning and the lesson's. */
  done: (now: Seen, start: Seen, first: Seen) => boolean;
  /** A kind word when something else was done. */
  hint?: (now: Seen, start: Seen, first: Seen) => string | null;
  /** Something to read: it waits for a click when it is done. */
  waits?: boolean;
}

export interface Lesson {
  id: string;
  title: string;
  opens: string; // a built-in character
  steps: Step[];
  end: string;
}
