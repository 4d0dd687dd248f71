// Documents that nobody wants to save: those that a lesson opened, as far as the lesson went.

import { signal } from "@preact/signals-core";
import type { Document } from "../wire/messages";

/** The document of a lesson, and how many steps it had when the lesson ended. */
export const throwAway = signal<{ name: string; steps: number } | null>(null);

/** Whether a document holds work worth saving. */
export function isWorthSaving({ saved, done, name, path }: Document): boolean {
  if (saved || done.length === 0) return false;
  const lesson = throwAway.value;
  return path !== null || lesson?.name !== name || done.length > lesson.steps;
}
