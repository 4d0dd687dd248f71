// The constraints of the scene as this window shows and changes them.

import { isPointConstraint } from "./pinsAndContacts";
import { effect, signal } from "@preact/signals-core";
import type { Constraint, ConstraintInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { sceneInfo, documentState, toasts } from "./document";
import { footplantsHere } from "./footplants";
import { constraintSolver } from "./toolTraits";
import { character, selectedConstraint, options, points, take } from "./view";

/** A constraint during a drag, until the document has it. */
export const draggedConstraint = signal<{ index: number; constraint: Constraint } | null>(null);
/** Hidden ones, by `nameOf`. */
const hidden = signal<ReadonlySet<string>>(new Set());

/** What their picture depends on besides the document. */
export const constraintSignals = [draggedConstraint, hidden] as const;

/** The constraints of the shown take besides pins and contacts, with a dragged one as it is now. */
export function constraintsHere(): ConstraintInfo[] {
  const now = draggedConstraint.value;
  const own = (documentState.value?.constraints ?? []).filter(
    (each) => !isPointConstraint(each.constraint) && (!each.take || each.take === take.value),
  );
  return own.map((each) =>
    each.index === now?.index ? { ...each, constraint: now.constraint } : each,
  );
}

export function chosenConstraint(): ConstraintInfo | null {
  const now = selectedConstraint.value;
  return now?.kind === "constraint"
    ? (constraintsHere().find((each) => each.index === now.index) ?? null)
    : null;
}

function nameOf({ index, name }: ConstraintInfo): string {
  return `${index} ${name}`;
}

export function isShown(info: ConstraintInfo): boolean {
  return !hidden.value.has(nameOf(info));
}

export function show(info: ConstraintInfo, on: boolean): void {
  const next = new Set(hidden.peek());
  if (on) next.delete(nameOf(info));
  else next.add(nameOf(info));
  hidden.value = next;
}

let expected: number | null = null; // how many there are once a requested one has arrived

/** One more, of the shown character and take; it is chosen when it is there. */
export function addConstraint(constraint: Constraint): void {
  expected = (documentState.peek()?.constraints.length ?? 0) + 1;
  const of = points.peek().at(-1)?.character || character.peek();
  send({
    type: "ApplyChange",
    change: { change: "AddConstraint", character: of, take: take.peek(), constraint },
  });
}

export function changeConstraint(info: ConstraintInfo, constraint: Constraint): void {
  const { character: of, index } = info;
  send({
    type: "ApplyChange",
    change: { change: "ChangeConstraint", character: of, take: take.peek(), index, constraint },
  });
}

export function removeConstraint(index: number): void {
  const change = {
    change: "RemoveConstraint",
    character: character.peek(),
    take: take.peek(),
    index,
  } as const;
  send({ type: "ApplyChange", change });
  selectedConstraint.value = null;
}

/** Whether there is anything that a motion could be brought to. */
export function canApply(): boolean {
  return whoseMotion() !== null;
}

/** Solves constraints, pins and footplants: one step. */
export function applyConstraints(of = whoseMotion()): void {
  if (of === null) return;
  const change = {
    change: "SolveConstraints",
    character: of,
    take: takeFor(of),
    options: options.peek()[constraintSolver()] ?? {},
  } as const;
  send({ type: "ApplyChange", change });
}

/** The shown take, or the first one of a character that has none of that name. */
function takeFor(of: string): string {
  const takes = documentState.value?.takes[of] ?? [];
  return (takes.find((each) => each.name === take.value) ?? takes[0])?.name ?? "";
}

/** The shown character if it has constraints, else the first one that has. */
function whoseMotion(): string | null {
  const people = (sceneInfo.value?.rigs ?? [])
    .filter((rig) => !rig.prop && documentState.value?.takes[rig.name]?.length)
    .map((rig) => rig.name);
  const all = documentState.value?.constraints ?? [];
  const noted = [
    ...all.filter((each) => !isPointConstraint(each.constraint)),
    ...all.filter((each) => isPointConstraint(each.constraint)),
  ].filter(
    (each) =>
      people.includes(each.character) && (!each.take || each.take === takeFor(each.character)),
  );
  const shown = character.value;
  const constrained = footplantsHere().length > 0 || noted.some((each) => each.character === shown);
  return constrained && people.includes(shown) ? shown : (noted[0]?.character ?? null);
}

export function startConstraints(): void {
  effect(() => {
    if (selectedConstraint.value?.kind !== "constraint") return;
    requestAnimationFrame(() =>
      document.querySelector(".right .constraint")?.scrollIntoView({ block: "nearest" }),
    );
  });
  effect(() => {
    const all = documentState.value?.constraints ?? [];
    if (expected !== null && all.length === expected) {
      selectedConstraint.value = { kind: "constraint", index: all.length - 1 };
      expected = null;
    }
  });
  effect(() => {
    void documentState.value; // the document has it now,
    void toasts.value; // or something went wrong with it
    draggedConstraint.value = null;
  });
}
