// Events that the server detects in the shown take, proposed until somebody accepts or rejects them.

import { computed, effect, signal } from "@preact/signals-core";
import type { ActivityEventInfo, ProposedEvents } from "../wire/messages";
import { send } from "../wire/socket";
import { activityHere } from "./activities";
import { addToActivity, subjectHere } from "./activityChanges";
import { documentState, inStep } from "./document";
import { activeTraits } from "./toolTraits";

export interface Proposal {
  key: string; // the same as long as it is detected at this moment
  event: ActivityEventInfo; // where it was dragged to
  kind: string;
  confidence: number; // 0 to 1
}

/** Whether detected events are shown. */
export const detecting = signal(false);
/** What "Accept all" accepts: from this confidence on. */
export const leastConfidence = signal(0.5);
const answer = signal<ProposedEvents | null>(null);
let awaited = ""; // what was asked for and not answered
const rejected = signal<ReadonlySet<string>>(new Set());
const dragged = signal<ReadonlyMap<string, number>>(new Map()); // to a time, s
const accepted = signal<ReadonlyMap<string, Accepted>>(new Map());

interface Accepted {
  steps: number; // that were done before
  came: boolean; // the step that accepts it
}

const subject = computed(() =>
  detecting.value && activeTraits().editsActivities ? subjectHere() : null,
);

export function receiveProposedEvents(info: ProposedEvents): void {
  const about = subject.peek();
  if (about?.character !== info.character || about.take !== info.take) return;
  awaited = "";
  answer.value = info;
}

/** Whether what is proposed is about the document as it is. */
export function proposedEventsLoaded(): boolean {
  return awaited === "";
}

/** Why nothing is proposed; "" where that is known, null while the server looks. */
export function proposalProblem(): string | null {
  return answer.value ? answer.value.problem : null;
}

export const proposals = computed<readonly Proposal[]>(() => {
  const [about, info] = [subject.value, answer.value];
  if (!info || about?.character !== info.character || about.take !== info.take) return [];
  return info.events
    .map(({ event, kind, confidence }) => {
      const key = `${kind} ${event.time.toFixed(3)}`;
      const time = dragged.value.get(key) ?? event.time;
      return { key, event: { ...event, time }, kind, confidence };
    })
    .filter(({ key }) => !rejected.value.has(key) && !accepted.value.get(key)?.came);
});

/** Events of all these become ordinary ones, in one step. */
export function accept(chosen: readonly Proposal[]): void {
  const info = answer.peek();
  if (!info || !chosen.length) return;
  const events = chosen.map(({ event }) => event);
  const used = new Set(events.flatMap((each) => each.elements));
  const isNew = activityHere.peek() === null;
  const steps = documentState.peek()?.done.length ?? 0;
  const marks = chosen.map(({ key }) => [key, { steps, came: false }] as const);
  accepted.value = new Map([...accepted.peek(), ...marks]);
  addToActivity({
    objects: info.objects.filter(({ name }) => used.has(name)),
    effectors: info.effectors.filter(({ name }) => isNew || used.has(name)),
    events,
  });
}

/** Those that "Accept all" is about. */
export function sure(): Proposal[] {
  return proposals.value.filter(({ confidence }) => confidence >= leastConfidence.value - 1e-9);
}

export function reject(chosen: readonly Proposal[]): void {
  rejected.value = new Set([...rejected.peek(), ...chosen.map(({ key }) => key)]);
}

/** A proposal dragged to another time, s; only this window knows until it is accepted. */
export function moveProposal(key: string, time: number | null): void {
  const next = new Map(dragged.peek());
  if (time === null) next.delete(key);
  else next.set(key, time);
  dragged.value = next;
}

export function proposedTime(key: string): number | null {
  return dragged.peek().get(key) ?? null;
}

export function detectEvents(on: boolean): void {
  if (on) [rejected.value, dragged.value] = [new Set(), new Map()];
  detecting.value = on;
}

/** Asks whenever the document has changed; follows steps that accept and undo. */
export function startProposedEvents(): void {
  let requested = "";
  effect(() => {
    const about = subject.value;
    const revision = documentState.value?.revision;
    if (!about) {
      requested = awaited = "";
      answer.value = null;
      return;
    }
    const now = JSON.stringify([about, revision]);
    if (!inStep.value || now === requested) return;
    requested = awaited = now;
    send({ type: "RequestProposedEvents", ...about });
  });
  effect(() => followSteps(documentState.value?.done ?? []));
}

/** A proposal is gone once its step has come, and back once that is undone or was refused. */
function followSteps(done: readonly string[]): void {
  const before = accepted.peek();
  const next = new Map<string, Accepted>();
  for (const [key, mark] of before) {
    const came = done[mark.steps]?.startsWith("Add ") ?? false;
    if (came) next.set(key, mark.came ? mark : { ...mark, came });
    else if (!mark.came && done.length <= mark.steps) next.set(key, mark);
  }
  const changed = [...next].some(([key, mark]) => before.get(key) !== mark);
  if (changed || next.size < before.size) accepted.value = next;
}
