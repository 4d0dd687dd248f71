// The take that each character and prop plays, and where it is when the shown one is at a frame.

import { batch, effect, signal } from "@preact/signals-core";
import { documentState, takeOf } from "./document";
import { character, frame, kept, points, rate, take } from "./view";
import type { Document, TakeInfo } from "../wire/messages";

/** What others than the selected character play, as it was chosen for them last. */
const chosen = signal<ReadonlyMap<string, string>>(new Map());

export interface Shown {
  character: string;
  take: string;
}
const MOST_FILES = 50;
/** What was shown last in each file, the latest file last. */
const lastShown = kept<readonly (readonly [path: string, shown: Shown])[]>("shown", []);

/** Remembers what is shown, for the other characters and for the next time a file is opened. */
export function startRememberingTakes(): void {
  effect(() => {
    const shown = { character: character.value, take: take.value };
    const path = documentState.value?.path;
    if (!takeOf(shown.character, shown.take)) return;
    chosen.value = new Map(chosen.peek()).set(shown.character, shown.take);
    if (!path) return;
    const others = lastShown.peek().filter(([each]) => each !== path);
    lastShown.value = [...others, [path, shown] as const].slice(-MOST_FILES);
  });
}

/** The take that a character plays: the chosen one if it has it, else its first. */
export function takeShown(name: string): string {
  return takePlayed(name)?.name ?? "";
}

export function takePlayed(name: string): TakeInfo | undefined {
  const takes = documentState.value?.takes[name] ?? [];
  const named = (wanted: string | undefined) => takes.find((each) => each.name === wanted);
  const own = name === character.value ? undefined : named(chosen.value.get(name));
  return own ?? named(take.value) ?? takes[0];
}

/** Makes another character the selected one, with the take that it plays, at the same time. */
export function showActor(name: string): void {
  if (name === character.peek()) return;
  batch(() => {
    const time = frame.peek() / rate.peek();
    take.value = takeShown(name);
    character.value = name;
    frame.value = time * rate.peek();
    // curves are those of one take
    points.value = points.peek().filter((each) => takeShown(each.character ?? "") === take.peek());
  });
}

/** All who have a take of this name play it from now on. */
export function playTogether(name: string): void {
  const all = Object.entries(documentState.peek()?.takes ?? {});
  const own = all.filter(([, takes]) => takes.some((each) => each.name === name));
  chosen.value = new Map([...chosen.peek(), ...own.map(([who]) => [who, name] as const)]);
}

/** The frame of a character's own take while the shown one is at a frame; loops go on. */
export function ownFrame(name: string, at: number): number {
  const info = name === character.value ? undefined : takePlayed(name);
  if (!info) return at;
  const own = (at / rate.value) * info.rate;
  const last = info.duration * info.rate;
  return info.loops && last > 0 && own > last ? own % last : own;
}

/** What an opened document shows first: what it showed last, else what was performed last. */
export function firstShown({ path, takes, recordings }: Document): Shown | null {
  chosen.value = new Map();
  const known = lastShown.peek().find(([each]) => each === path)?.[1];
  const candidates = [known, recordings.at(-1)];
  const has = (each: Shown | undefined) =>
    each && takes[each.character]?.some(({ name }) => name === each.take);
  return candidates.find(has) ?? null;
}
