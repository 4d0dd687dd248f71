// The constraints of the scene as this window shows and changes them.

import { effect, signal } from "@preact/signals-core";
import type { Constraint, ConstraintInfo } from "../wire/messages";
import { say } from "../wire/socket";
import { cast, story, toasts } from "./document";
import { plantsHere } from "./plants";
import { character, chosenWish, options, points, take } from "./view";

/** One in the hand, before the server has kept it. */
export const heldConstraint = signal<{ index: number; constraint: Constraint } | null>(null);
/** Those whose signs are not drawn, by `nameOf`. */
const hidden = signal<ReadonlySet<string>>(new Set());

/** What their picture depends on besides the document. */
export const boundSignals = [heldConstraint, hidden] as const;

/** Those that hold in the take that is shown, as hands have them. */
export function constraintsHere(): ConstraintInfo[] {
  const now = heldConstraint.value;
  const own = (story.value?.constraints ?? []).filter(
    (each) => !each.take || each.take === take.value,
  );
  return own.map((each) =>
    each.index === now?.index ? { ...each, constraint: now.constraint } : each,
  );
}

export function chosenConstraint(): ConstraintInfo | null {
  const now = chosenWish.value;
  return now?.kind === "constraint"
    ? (constraintsHere().find((each) => each.index === now.index) ?? null)
    : null;
}

function nameOf({ index, name }: ConstraintInfo): string {
  return `${index} ${name}`;
}

export function isShown(told: ConstraintInfo): boolean {
  return !hidden.value.has(nameOf(told));
}

export function show(told: ConstraintInfo, on: boolean): void {
  const next = new Set(hidden.peek());
  if (on) next.delete(nameOf(told));
  else next.add(nameOf(told));
  hidden.value = next;
}

let expected: number | null = null; // how many there are once one that was asked for has come

/** One more, of the shown character and take; it is chosen when it is there. */
export function addConstraint(constraint: Constraint): void {
  expected = (story.peek()?.constraints.length ?? 0) + 1;
  const of = points.peek().at(-1)?.character || character.peek();
  say({
    type: "ApplyChange",
    change: { change: "AddConstraint", character: of, take: take.peek(), constraint },
  });
}

export function changeConstraint(told: ConstraintInfo, constraint: Constraint): void {
  const { character: of, index } = told;
  say({
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
  say({ type: "ApplyChange", change });
  chosenWish.value = null;
}

/** Whether there is anything that a motion could be brought to. */
export function canApply(): boolean {
  return whoseMotion() !== null;
}

/** The motion is settled so that constraints, pins and plants hold: one step. */
export function applyConstraints(of = whoseMotion()): void {
  if (of === null) return;
  const change = {
    change: "SolveConstraints",
    character: of,
    take: takeFor(of),
    options: options.peek()["spacetime"] ?? {},
  } as const;
  say({ type: "ApplyChange", change });
}

/** The shown take, or the first one of a character that has none of that name. */
function takeFor(of: string): string {
  const takes = story.value?.takes[of] ?? [];
  return (takes.find((each) => each.name === take.value) ?? takes[0])?.name ?? "";
}

/** The shown character if anything is wished of it, else the first one of which there is. */
function whoseMotion(): string | null {
  const people = (cast.value?.rigs ?? [])
    .filter((rig) => !rig.prop && story.value?.takes[rig.name]?.length)
    .map((rig) => rig.name);
  const noted = [
    ...(story.value?.constraints ?? []).map((each) => ({ of: each.character, take: each.take })),
    ...(story.value?.point_constraints ?? []).map((each) => ({
      of: each.point.character ?? "",
      take: each.take,
    })),
  ].filter((each) => people.includes(each.of) && (!each.take || each.take === takeFor(each.of)));
  const shown = character.value;
  const wished = plantsHere().length > 0 || noted.some((each) => each.of === shown);
  return wished && people.includes(shown) ? shown : (noted[0]?.of ?? null);
}

export function startConstraints(): void {
  effect(() => {
    if (chosenWish.value?.kind !== "constraint") return;
    requestAnimationFrame(() =>
      document.querySelector(".right .constraint")?.scrollIntoView({ block: "nearest" }),
    );
  });
  effect(() => {
    const all = story.value?.constraints ?? [];
    if (expected !== null && all.length === expected) {
      chosenWish.value = { kind: "constraint", index: all.length - 1 };
      expected = null;
    }
  });
  effect(() => {
    void story.value; // the document has it now,
    void toasts.value; // or something went wrong with it
    heldConstraint.value = null;
  });
}
