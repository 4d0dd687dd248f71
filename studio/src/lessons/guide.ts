// Runs a lesson: opens its character, checks each step, remembers finished lessons.

import { pointConstraints } from "../state/pinsAndContacts";
import { batch, computed, effect, signal, untracked } from "@preact/signals-core";
import { leave } from "../panels/files";
import { curves, previews, rigOf, documentState, takeOf } from "../state/document";
import { activityHere } from "../state/activities";
import { interaction } from "../state/interaction";
import { character, frame, playing, points, rate, take, tool } from "../state/view";
import { throwAway } from "../state/throwAway";
import { send } from "../wire/socket";
import type { Lesson, Seen, Step } from "./lesson";

export interface Going {
  lesson: Lesson;
  step: number; // the number of steps when it is finished
  first: Seen | null; // how it was when the lesson began
  start: Seen | null; // how it was when the step began; null until all it needs is loaded
  ready: boolean; // done, and waits to be read
}

export const going = signal<Going | null>(null);

const KEPT = "arcwright.lessons";
export const finished = signal<readonly string[]>(stored());

export const seen = computed<Seen>(() => ({
  character: character.value,
  take: take.value,
  tool: tool.value,
  rate: rate.value,
  points: points.value,
  done: documentState.value?.done ?? [],
  undone: documentState.value?.undone ?? [],
  pointConstraints: pointConstraints.value.filter((each) => !each.take || each.take === take.value),
  joints: rigOf(character.value)?.joints ?? [],
  curves: [...curves.value.values()]
    .map((each) => each.still)
    .filter((each) => each.take === take.value),
  duration: takeOf(character.value, take.value)?.duration ?? 0,
  events: activityHere.value?.events ?? [],
  sections: takeOf(character.value, take.value)?.sections.map((each) => each.name) ?? [],
}));

export function stepOf(now: Going): Step | undefined {
  return now.lesson.steps[now.step];
}

export function begin(lesson: Lesson): void {
  const fresh =
    documentState.peek()?.name === lesson.opens && documentState.peek()?.done.length === 0;
  const start = () => {
    going.value = { lesson, step: 0, first: null, start: null, ready: false };
  };
  if (fresh) return start();
  leave((discard) => {
    const before = documentState.peek();
    send({ type: "Open", kind: "builtin", name: lesson.opens, discard });
    const stop = effect(() => {
      const now = documentState.value;
      if (now === before || now?.name !== lesson.opens) return;
      queueMicrotask(() => stop());
      untracked(start);
    });
  });
}

export function leaveLesson(): void {
  going.value = null;
}

export function startGuide(): void {
  let entered: Step | undefined;
  effect(() => {
    const name = going.value?.lesson.opens;
    const steps = documentState.value?.done.length ?? 0;
    if (name !== undefined && documentState.value?.name === name) throwAway.value = { name, steps };
  });
  effect(() => {
    const now = going.value;
    const step = now && stepOf(now);
    if (!now || !step) {
      entered = undefined;
      return;
    }
    const look = seen.value;
    if (interaction.value || previews.value.size > 0) return; // an interaction is in progress
    if (entered !== step) {
      entered = step;
      untracked(() => enter(step, look));
      return;
    }
    untracked(() => follow(now, step, look));
  });
}

/** Sets the stage for a step. */
function enter(step: Step, look: Seen): void {
  batch(() => {
    if (step.frame !== undefined) {
      playing.value = false;
      frame.value = step.frame;
    }
    if (step.tool) tool.value = step.tool;
    if (step.shows) points.value = step.shows(look);
    const now = going.peek();
    if (now) going.value = { ...now };
  });
}

function follow(now: Going, step: Step, look: Seen): void {
  if (!now.start) {
    const wanted = step.shows?.(look) ?? [];
    const info = wanted.every((point) =>
      look.curves.some((each) => each.point.joint === point.joint),
    );
    if (info) going.value = { ...now, first: now.first ?? look, start: look };
    return;
  }
  const done = step.done(look, now.start, now.first ?? now.start);
  if (done && !step.waits) next();
  else if (done !== now.ready && step.waits) going.value = { ...now, ready: done };
}

export function next(): void {
  const now = going.peek();
  if (!now) return;
  const step = now.step + 1;
  if (step === now.lesson.steps.length) finish(now.lesson.id);
  going.value = { ...now, step, start: null, ready: false };
}

/** The hint where something else was done. */
export function hintNow(): string | null {
  const now = going.value;
  if (!now?.start || now.ready || interaction.value) return null;
  return stepOf(now)?.hint?.(seen.value, now.start, now.first ?? now.start) ?? null;
}

function finish(id: string): void {
  finished.value = [...new Set([...finished.peek(), id])];
  localStorage.setItem(KEPT, JSON.stringify(finished.peek()));
}

function stored(): string[] {
  try {
    const info: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(info) ? info.map(String) : [];
  } catch {
    return [];
  }
}
