// A hand of this window: takes hold, moves, lets go. One at a time is enough for a mouse or pen.

import { signal } from "@preact/signals-core";
import type { Change, UpdateInteraction, PointRef } from "../wire/messages";
import { say } from "../wire/socket";
import { cast, story } from "./document";
import { forgetHand } from "./ended";
import { character, options, rate, take } from "./view";

/** What this window's hand is holding; its answers are in `hands` under the same number. */
export interface Held {
  hand: number;
  tool: string; // a tool's name, or "change" for keys and handles
  point: PointRef | null;
  time: number; // s
  target: [number, number, number] | null; // where the pointer wants the point
  wanted?: Wanted; // all that was asked for last
  frames?: readonly [number, number]; // that may change, where that is not what the tool would do
  own?: OptionValues; // options of this drag only
}
type OptionValues = Record<string, boolean | number | string | null>;
export const held = signal<Held | null>(null);
/** A hand that has let go, but whose step takes the server a while. */
export const settling = signal<number | null>(null);
const PATIENCE = 300; // ms until that is said

/** How the last hand ended. */
export const lastEnd = signal<"CommitInteraction" | "CancelInteraction" | "AcceptOffer" | null>(
  null,
);

let count = Math.floor(Math.random() * 1e9); // several windows share one document

/** What a hand may bring besides what it holds. */
export interface Brought {
  found?: boolean; // what it holds is a plant that is only found: it becomes a contact
  frames?: readonly [number, number]; // that may change, where nobody has chosen any
}

export function grab(tool: string, point: PointRef, time: number, brought: Brought = {}): number {
  if (held.peek()) forget(); // keys held without a button, say
  const hand = ++count;
  say({
    type: "BeginInteraction",
    interaction: hand,
    tool,
    ...heldBy(tool, point),
    options: optionsOf(tool, brought.frames),
    accept_footplants: brought.found ?? false,
  });
  held.value = {
    hand,
    tool,
    point,
    time,
    target: null,
    ...(brought.frames ? { frames: brought.frames } : {}),
  };
  return hand;
}

function optionsOf(
  tool: string,
  frames?: readonly [number, number],
  ofDrag: OptionValues = {},
): OptionValues {
  const own = { ...options.peek()[tool], ...ofDrag };
  return frames ? { ...own, start: frames[0] / rate.peek(), end: frames[1] / rate.peek() } : own;
}

/** Whose motion a tool takes hold of: a thing is moved with the motion of whoever holds it. */
function heldBy(tool: string, point: PointRef): { character: string; take: string } {
  const own = point.character || character.peek();
  const rigs = cast.peek()?.rigs ?? [];
  if (tool !== "spacetime" || !rigs.find((rig) => rig.name === own)?.prop)
    return { character: own, take: take.peek() };
  const holder = story.peek()?.point_constraints.find((wish) => wish.relative_to?.character === own)
    ?.point.character;
  const people = rigs.filter((rig) => !rig.prop).map((rig) => rig.name);
  const name = holder ?? people.find((each) => each === character.peek()) ?? people[0] ?? own;
  const takes = story.peek()?.takes[name] ?? [];
  return {
    character: name,
    take: (takes.find((each) => each.name === take.peek()) ?? takes[0])?.name ?? "",
  };
}

export type Wanted = Pick<UpdateInteraction, "position" | "orientation" | "time_scale" | "axes">;

export function move(wanted: Wanted): void {
  const now = held.peek();
  if (!now?.point) return;
  held.value = { ...now, target: wanted.position ?? now.target, wanted };
  say({
    type: "UpdateInteraction",
    interaction: now.hand,
    point: now.point,
    time: now.time,
    ...wanted,
  });
}

/** Whether a hand of this window only rotates: then no distance tells whether it is met. */
export function rotates(hand: number): boolean {
  const now = held.peek();
  return now?.hand === hand && !!now.wanted?.orientation && !now.wanted.position;
}

/** Other options while holding, such as a longer reach in time; `own` are those of this drag only. */
export function tune(own: OptionValues = {}): void {
  const now = held.peek();
  if (!now) return;
  const next = { ...now, own: { ...now.own, ...own } };
  held.value = next;
  say({
    type: "SetOptions",
    interaction: now.hand,
    options: optionsOf(now.tool, now.frames, next.own),
  });
}

/** A change of keys, handles or bars while the pointer moves: always the whole of it; by which hand. */
export function slide(change: Change): number {
  const now = held.peek() ?? { hand: ++count, tool: "change", point: null, time: 0, target: null };
  held.value = now;
  say({ type: "PreviewChange", interaction: now.hand, change });
  return now.hand;
}

export function letGo(): void {
  end("CommitInteraction");
}

export function forget(): void {
  end("CancelInteraction");
}

export function takeOffer(): void {
  end("AcceptOffer");
}

function end(word: "CommitInteraction" | "CancelInteraction" | "AcceptOffer"): void {
  const now = held.peek();
  if (now) say({ type: word, interaction: now.hand });
  if (now && word === "CancelInteraction") forgetHand(now.hand);
  if (now && word === "CommitInteraction" && now.tool !== "change") settleSoon(now.hand);
  lastEnd.value = word;
  held.value = null;
}

const waited = new Set<number>(); // hands that have let go and whose end was not told yet

function settleSoon(hand: number): void {
  waited.add(hand);
  setTimeout(() => {
    if (waited.has(hand)) settling.value = hand;
  }, PATIENCE);
}

/** The server has done with a hand. */
export function settled(hand: number): void {
  waited.delete(hand);
  if (settling.peek() === hand) settling.value = null;
}
