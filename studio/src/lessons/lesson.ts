// A lesson: steps with instructions, checked against the document instead of clicks.

import type { PointConstraintInfo } from "../state/pinsAndContacts";
import type { MotionCurve } from "../state/document";
import type { PointRef } from "../wire/messages";

/** What a lesson checks: state from the server, and what this window shows. */
export interface Seen {
  character: string;
  take: string;
  tool: string;
  rate: number;
  points: readonly PointRef[];
  done: readonly string[];
  undone: readonly string[];
  pointConstraints: readonly PointConstraintInfo[]; // of this take
  joints: readonly string[];
  curves: readonly MotionCurve[]; // committed ones, not previews
  duration: number; // s, of the take
  sections: readonly string[]; // of the take, by name
  events: readonly { name: string; time: number }[]; // of its activity; s
}

/** Where to act: a part of the page, a point's curve at a frame, a tool's handle, or an event on the timeline. */
export type Target =
  { css: string } | { joint: string; frame: number } | { handle: string } | { event: number };

export interface Step {
  text: string;
  target?: (now: Seen) => Target | null;
  /** Joints whose curves are shown when the step begins; it waits until they are loaded. */
  shows?: (now: Seen) => PointRef[];
  /** The frame it begins at; playback stops there. */
  frame?: number;
  tool?: string;
  /** Whether it is done, seen against the step's beginning and the lesson's. */
  done: (now: Seen, start: Seen, first: Seen) => boolean;
  /** Help when something else was done. */
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
