// The interaction of this window: begin, update, commit or cancel. One at a time.

import { pointConstraints } from "./pinsAndContacts";
import { batch, effect, signal } from "@preact/signals-core";
import type { AppendStroke, Change, UpdateInteraction, PointRef } from "../wire/messages";
import type { AppendPerformance } from "../wire/performanceFrame";
import { send } from "../wire/socket";
import { sceneInfo, documentState, previews } from "./document";
import { discardPreview } from "./discardPreview";
import { traitsOf } from "./toolTraits";
import { character, options, rate, take } from "./view";

/** The interaction in progress; its previews are in `previews` under the same id. */
export interface Interaction {
  id: number;
  tool: string; // a tool's name, or "change" for keys and handles
  point: PointRef | null; // of a drag
  time: number; // s
  target: [number, number, number] | null; // target of the point or handle
  wanted?: DragTarget; // the latest target
  handle?: string | null; // that was dragged there, instead of the point
  frames?: readonly [number, number]; // that may change, where that is not what the tool would do
  own?: OptionValues; // options of this drag only
  open?: true; // the pointer was released, and handles of the tool can be dragged
  unkeyed?: true; // a pose that is lost unless it is keyed: auto key is off
  review?: true; // open for review: a commit that would change nothing leaves it open
}
export type OptionValues = Record<string, boolean | number | string | null>;
export const interaction = signal<Interaction | null>(null);
/** A committed interaction that the server is still solving. */
export const solving = signal<number | null>(null);
const PATIENCE = 300; // ms until a progress bar is shown

/** How the last interaction ended. */
export const lastEnd = signal<"CommitInteraction" | "CancelInteraction" | "AcceptOffer" | null>(
  null,
);

let count = Math.floor(Math.random() * 1e9); // several windows share one document

/** What a drag may add to the message that begins it. */
export interface DragContext {
  found?: boolean; // it drags a detected footplant, which becomes a contact
  frames?: readonly [number, number]; // that may change, where the user has chosen none
  channels?: readonly string[]; // that it is about, by name
  performed?: PerformedItem;
  recording?: number; // of the document, whose samples are made into a layer again
}

/** What follows a device: a point, or channels by name. */
export interface PerformedItem {
  point: PointRef | null;
  channels: string[];
}

export function beginInteraction(
  tool: string,
  point: PointRef | null,
  time: number,
  context: DragContext = {},
): number {
  commitOpen();
  if (interaction.peek()) cancelInteraction(); // such as keys moved without a button
  const id = nextInteraction();
  send({
    type: "BeginInteraction",
    interaction: id,
    tool,
    ...heldBy(tool, point),
    options: optionsOf(tool, context.frames),
    accept_footplants: context.found ?? false,
    ...(point && traitsOf(tool).targetsPoint ? { point } : {}),
    ...(context.channels ? { channels: [...context.channels] } : {}),
    ...(traitsOf(tool).composes ? { time } : {}),
    ...(context.performed ? { ...context.performed, time } : {}),
    ...(context.recording === undefined ? {} : { recording: context.recording }),
  });
  interaction.value = {
    id,
    tool,
    point,
    time,
    target: null,
    ...(context.frames ? { frames: context.frames } : {}),
  };
  return id;
}

/** A number that no other interaction has. */
export function nextInteraction(): number {
  return ++count;
}

export function optionsOf(
  tool: string,
  frames?: readonly [number, number],
  ofDrag: OptionValues = {},
): OptionValues {
  const keys = traitsOf(tool).autoKey;
  const own = { ...options.peek()[tool], ...ofDrag, ...(keys ? { [keys]: true } : {}) };
  const range = traitsOf(tool).rangeOptions;
  if (!frames || !range) return own;
  return { ...own, [range.start]: frames[0] / rate.peek(), [range.end]: frames[1] / rate.peek() };
}

/** Whose take an interaction edits: for a held prop, that of the character who holds it, unless the tool knows. */
function heldBy(tool: string, point: PointRef | null): { character: string; take: string } {
  const subject = traitsOf(tool).subject?.();
  if (subject) return subject;
  const own = point?.character || character.peek();
  const rigs = sceneInfo.peek()?.rigs ?? [];
  if (!traitsOf(tool).dragsHeldProps || !rigs.find((rig) => rig.name === own)?.prop)
    return { character: own, take: take.peek() };
  const holder = pointConstraints
    .peek()
    .find((pointConstraint) => pointConstraint.relative_to?.character === own)?.point.character;
  const people = rigs.filter((rig) => !rig.prop).map((rig) => rig.name);
  const name = holder ?? people.find((each) => each === character.peek()) ?? people[0] ?? own;
  const takes = documentState.peek()?.takes[name] ?? [];
  return {
    character: name,
    take: (takes.find((each) => each.name === take.peek()) ?? takes[0])?.name ?? "",
  };
}

export type DragTarget = Pick<
  UpdateInteraction,
  "position" | "orientation" | "time_scale" | "axes" | "to_time" | "scale"
>;

/** Drags the point, or a handle that the tool named in an overlay. */
export function updateInteraction(wanted: DragTarget, handle: string | null = null): void {
  const now = interaction.peek();
  if (!now || (!now.point && handle === null)) return;
  interaction.value = { ...now, target: wanted.position ?? now.target, wanted, handle };
  send({
    type: "UpdateInteraction",
    interaction: now.id,
    point: handle === null ? now.point : null,
    time: now.time,
    ...wanted,
    ...(handle === null ? {} : { handle }),
  });
}

type Samples<Message> = Message extends unknown ? Omit<Message, "interaction"> : never;

/** Adds samples to a stroke or a performance. */
export function appendSamples(samples: Samples<AppendStroke | AppendPerformance>): void {
  const now = interaction.peek();
  if (!now) return;
  send({ ...samples, interaction: now.id });
  const shown = previews.peek().get(now.id);
  if (shown?.notes.length)
    // they are about fewer samples
    previews.value = new Map(previews.peek()).set(now.id, { ...shown, notes: [] });
}

/** Whether an interaction of this window only rotates: then it has no remaining distance. */
export function isRotating(id: number): boolean {
  const now = interaction.peek();
  return now?.id === id && !!now.wanted?.orientation && !now.wanted.position;
}

/** Sets options during a drag, such as its time reach; `own` are those of this drag only. */
export function setInteractionOptions(own: OptionValues = {}): void {
  const now = interaction.peek();
  if (!now) return;
  const next = { ...now, own: { ...now.own, ...own } };
  interaction.value = next;
  send({
    type: "SetOptions",
    interaction: now.id,
    options: optionsOf(now.tool, now.frames, next.own),
  });
}

/** A change of keys, handles or bars while the pointer moves: always the whole change; returns the interaction. */
export function previewChange(change: Change): number {
  commitOpen();
  const now = interaction.peek() ?? {
    id: nextInteraction(),
    tool: "change",
    point: null,
    time: 0,
    target: null,
  };
  interaction.value = now;
  send({ type: "PreviewChange", interaction: now.id, change });
  return now.id;
}

/** The pointer was released, but the tool's handles stay: until `commitOpen` or `cancelInteraction`. */
export function leaveOpen(): void {
  const now = interaction.peek();
  if (now) interaction.value = { ...now, open: true };
}

/** The acting is over: it stays open until something of it is kept, or it is discarded. */
export function leaveForReview(): void {
  const now = interaction.peek();
  if (now) interaction.value = { ...now, open: true, review: true };
}

/** Goes on with an interaction that was left open, at another point or time; null where there is none of the tool. */
export function resumeInteraction(tool: string, point: PointRef, time: number): number | null {
  const now = interaction.peek();
  if (!now?.open || now.tool !== tool || (now.unkeyed && now.time !== time)) return null;
  const next = { ...now, point, time };
  delete next.open;
  interaction.value = next;
  return now.id;
}

/** The pointer was released without auto key: the pose waits to be keyed. */
export function leaveForKeying(): void {
  const now = interaction.peek();
  if (now) interaction.value = { ...now, open: true, unkeyed: true };
}

/** The time of a pose that was lost because it was not keyed, s. */
export const lostPose = signal<number | null>(null);

/** Ends a pose that was not keyed. */
export function leaveUnkeyed(): void {
  const now = interaction.peek();
  if (!now?.unkeyed) return;
  cancelInteraction();
  lostPose.value = now.time;
}

/** Commits an interaction that was left open; a pose that was not keyed is lost. */
export function commitOpen(): void {
  const now = interaction.peek();
  if (now?.unkeyed && now.open) leaveUnkeyed();
  else if (now?.open) commitInteraction();
}

export function commitInteraction(): void {
  end("CommitInteraction");
}

export function cancelInteraction(): void {
  end("CancelInteraction");
}

export function acceptOffer(): void {
  end("AcceptOffer");
}

function end(ending: "CommitInteraction" | "CancelInteraction" | "AcceptOffer"): void {
  const now = interaction.peek();
  const asks = ending === "CommitInteraction" && now?.review;
  if (now) send({ type: ending, interaction: now.id, ...(asks ? { if_changed: true } : {}) });
  if (now && asks) asked.set(now.id, now);
  if (now && ending === "CancelInteraction") discardPreview(now.id);
  if (now && ending === "CommitInteraction" && now.tool !== "change") awaitSolve(now.id);
  lastEnd.value = ending;
  interaction.value = null;
}

/** Committed interactions that have not ended on the server: undo waits for them there. */
export const committing = signal<ReadonlySet<number>>(new Set());

const asked = new Map<number, Interaction>(); // reviews whose commit the server has not answered
/** Reviews of which nothing could be kept, until no other interaction goes on. */
const unkept = signal<readonly Interaction[]>([]);

/** Whether a committed review may come back: to be read in an effect. */
export function mayReturn(id: number): boolean {
  return committing.value.has(id) || unkept.value.some((each) => each.id === id);
}

/** The server has left a review open, because its commit would have changed nothing. */
export function returnToReview(id: number): void {
  const review = asked.get(id);
  if (review) unkept.value = [...unkept.peek(), review];
  solved(id);
}

effect(() => {
  if (!interaction.value && unkept.value.length) queueMicrotask(reviewAgain); // not amid a begin
});

function reviewAgain(): void {
  const last = unkept.peek().at(-1);
  if (interaction.peek() || !last) return;
  batch(() => {
    unkept.value = unkept.peek().slice(0, -1);
    interaction.value = last;
  });
}

/** The server has ended an interaction. */
export function ended(id: number): void {
  solved(id);
  unkept.value = unkept.peek().filter((each) => each.id !== id);
}

/** The connection was lost: the server has ended all interactions. */
export function forgetCommitted(): void {
  asked.clear();
  unkept.value = [];
  solving.value = null;
  committing.value = new Set(); // what the server had finished is in its document
}

/** The server solves it from now on. */
export function awaitSolve(id: number): void {
  committing.value = new Set(committing.peek()).add(id);
  setTimeout(() => {
    if (committing.peek().has(id)) solving.value = id;
  }, PATIENCE);
}

/** The server has answered a commit. */
export function solved(id: number): void {
  asked.delete(id);
  const others = new Set(committing.peek());
  if (others.delete(id)) committing.value = others;
  if (solving.peek() === id) solving.value = null;
}
