// The activity of the shown take: who takes part, and which event a drag of an element is about.

import { computed, signal } from "@preact/signals-core";
import type { ActivityEventInfo, ActivityInfo, PointRef } from "../wire/messages";
import { documentState, rigOf, takeOf } from "./document";
import { takeShown } from "./shownTakes";
import { character, take } from "./view";

/** The activity of the shown take, or of who acts beside the shown prop. */
export const activityHere = computed<ActivityInfo | null>(() => {
  const all = documentState.value?.activities ?? [];
  const own = all.find((each) => each.character === character.value && each.take === take.value);
  if (own) return own;
  const beside = all.filter((each) => takeShown(each.character) === each.take);
  const takesPart = ({ objects }: ActivityInfo) =>
    objects.some(({ prop }) => prop === character.value);
  return beside.find(takesPart) ?? (isProp(character.value) ? (beside[0] ?? null) : null);
});

/** The time of an event while it is dragged, until the document has it. */
export const draggedEvent = signal<{ index: number; time: number } | null>(null);

/** Frames per second of the take that an activity is about. */
export function rateOf(activity: ActivityInfo): number {
  return takeOf(activity.character, activity.take)?.rate ?? 24;
}

/** The element that a point belongs to; null for none. */
export function elementAt(activity: ActivityInfo, point: PointRef): string | null {
  const actor = point.character || activity.character;
  if (actor !== activity.character)
    return activity.objects.find(({ prop }) => prop === actor)?.name ?? null;
  const part = activity.effectors.filter(({ name }) => activity.events.some(involves(name)));
  const own = part.find((each) => each.point.joint === point.joint);
  const above = part.filter((each) => isAbove(actor, each.point.joint, point.joint)).at(-1);
  return (own ?? above)?.name ?? null;
}

/** Whether this is a prop: one that was just added takes part in nothing yet. */
export function isProp(name: string): boolean {
  return rigOf(name)?.prop ?? false;
}

const involves = (element: string) => (event: ActivityEventInfo) =>
  event.elements.includes(element);

function isAbove(actor: string, joint: string, below: string): boolean {
  const rig = rigOf(actor);
  if (!rig) return false;
  let at = rig.joints.indexOf(below);
  while (at >= 0 && rig.joints[at] !== joint) at = rig.parents[at] ?? -1;
  return at >= 0;
}

/** The element that a drag of one moves at an event: itself, or what it follows; null for none. */
export function leaderAt(event: ActivityEventInfo, element: string): string | null {
  const leads = new Map(event.pairs.map((pair) => pair.map(elementOf) as [string, string]));
  const movable = event.movable.map(elementOf);
  let at: string | undefined = element;
  while (at !== undefined && !movable.includes(at)) at = leads.get(at);
  return at ?? null;
}

export function elementOf(reference: string): string {
  return reference.split(".")[0]!;
}

/** The event nearest in time at which an element can be moved; -1 for none. */
export function eventNear(activity: ActivityInfo, element: string, time: number): number {
  const able = [...activity.events.entries()].filter(
    ([, event]) => involves(element)(event) && leaderAt(event, element) !== null,
  );
  const away = (event: ActivityEventInfo) => Math.abs(event.time - time);
  return able.sort(([, one], [, other]) => away(one) - away(other))[0]?.[0] ?? -1;
}

/** An event for people. */
export function eventText({ events }: ActivityInfo, index: number): string {
  return events[index]?.name || `event ${index + 1}`;
}

/** The handle of an element at the event of a time, as the tool names it. */
export function handleName(element: string, time: number, rate: number): string {
  return `${element} at frame ${Math.round(time * rate)}`;
}

/** What meets what at an event, and where the character looks. */
export function meetings({ pairs, look_at }: ActivityEventInfo): string {
  const words = (reference: string) => reference.replaceAll(".", " ");
  const met = pairs.map(([own, other]) => `${words(own)} on ${words(other)}`);
  return [...met, ...(look_at ? [`looks at ${words(look_at)}`] : [])].join(" · ");
}
