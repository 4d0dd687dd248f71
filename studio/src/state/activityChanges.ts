// Changes of the activity of the shown take: its events, its elements, and the activity itself.

import type { ActivityEventInfo, ActivityInfo, Change, EffectorInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { activityHere, elementAt, elementOf, handleName, rateOf } from "./activities";
import { rigOf, takeOf } from "./document";
import { beginInteraction, commitInteraction, updateInteraction } from "./interaction";
import { activityEditor } from "./toolTraits";
import { character, frame, points, take } from "./view";

/** The take that an activity is or would be about; null where there is none. */
export function subjectHere(): { character: string; take: string } | null {
  const here = activityHere.value;
  if (here) return { character: here.character, take: here.take };
  const about = { character: character.value, take: take.value };
  const own = takeOf(about.character, about.take);
  return own && rigOf(about.character)?.prop === false ? about : null;
}

/** An activity with parts of the body and all props, and without events. */
export function beginActivity(): void {
  const about = subjectHere();
  if (about) apply({ change: "BeginActivity", ...about });
}

export function removeActivity(): void {
  about((given) => ({ change: "RemoveActivity", ...given }));
}

/** An event at the playhead: of the selected element, else of all parts of the body. */
export function addEvent(): void {
  const here = activityHere.peek();
  if (!here) return;
  const whole = Math.round(frame.peek());
  const selected = points.peek().flatMap((point) => effectorOf(here, point.joint) ?? []);
  const props = points.peek().flatMap((point) => elementAt(here, point) ?? []);
  const chosen = [...new Set([...selected, ...props])];
  const elements = chosen.length ? chosen : here.effectors.map(({ name }) => name);
  const event: ActivityEventInfo = {
    time: whole / rateOf(here),
    name: freeName("event", here),
    elements,
    movable: elements,
    scalable: elements.filter((each) => isObject(here, each)),
    replaceable: elements.filter((each) => isObject(here, each)),
    pairs: [],
    look_at: "",
  };
  addToActivity({ events: [event] });
}

function effectorOf({ effectors }: ActivityInfo, joint: string): string | undefined {
  return effectors.find(({ point }) => point.joint === joint)?.name;
}

export function isObject({ objects }: ActivityInfo, element: string): boolean {
  return objects.some(({ name }) => name === element);
}

function freeName(name: string, { events }: ActivityInfo): string {
  const taken = new Set(events.map((each) => each.name));
  let found = name;
  for (let number = 2; taken.has(found); number++) found = `${name} ${number}`;
  return found;
}

/** A prop that is no object yet. */
export function addObject(prop: string): void {
  const here = activityHere.peek();
  if (!here) return;
  const name = freeElement(prop.replaceAll(".", "_"), here);
  addToActivity({ objects: [{ name, prop, anchors: [] }] });
}

/** A joint that is no effector yet. */
export function addEffector(joint: string): void {
  const here = activityHere.peek();
  if (!here) return;
  const name = freeElement(joint.replaceAll(".", "_"), here);
  addToActivity({ effectors: [{ name, point: { joint, character: here.character } }] });
}

function freeElement(name: string, { objects, effectors }: ActivityInfo): string {
  const taken = new Set([...objects, ...effectors].map((each) => each.name));
  let found = name;
  for (let number = 2; taken.has(found); number++) found = `${name} ${number}`;
  return found;
}

interface Added {
  objects?: ActivityInfo["objects"];
  effectors?: EffectorInfo[];
  events?: ActivityEventInfo[];
}

/** All as one step; an activity is made where the take has none. */
export function addToActivity({ objects = [], effectors = [], events = [] }: Added): void {
  const subject = subjectHere();
  if (!subject) return;
  const activity = activityHere.peek()?.name ?? "";
  apply({ change: "AddToActivity", ...subject, activity, objects, effectors, events });
}

export function removeElement(element: string): void {
  about((given) => ({ change: "RemoveElement", ...given, element }));
}

export function renameEvent(event: number, name: string): void {
  about((given) => ({ change: "RenameEvent", ...given, event, name }));
}

export function removeEvent(event: number): void {
  about((given) => ({ change: "RemoveEvent", ...given, event }));
}

/** An event with some of what it says changed; the motion stays. */
export function changeEvent(event: number, changed: Partial<ActivityEventInfo>): void {
  const before = activityHere.peek()?.events[event];
  if (!before) return;
  about((given) => ({ change: "ChangeEvent", ...given, event, to: { ...before, ...changed } }));
}

/** An object so many times as large, for the whole take: one step, and what meets it follows. */
export function scaleObject(index: number, object: string, factor: number): void {
  const here = activityHere.peek();
  const event = here?.events[index];
  const tool = activityEditor();
  if (!here || !event || !tool) return;
  beginInteraction(tool, null, event.time);
  updateInteraction(
    { scale: [factor, factor, factor] },
    handleName(object, event.time, rateOf(here)),
  );
  commitInteraction();
}

export type Role = "elements" | "movable" | "scalable" | "replaceable";

/** Whether an element has a role at an event; anchors count for their object. */
export function hasRole(event: ActivityEventInfo, role: Role, element: string): boolean {
  return event[role].some((each) => elementOf(each) === element);
}

/** An element that takes part, or may be moved, scaled or replaced; or no longer. */
export function setRole(index: number, role: Role, element: string, on: boolean): void {
  const event = activityHere.peek()?.events[index];
  if (!event) return;
  const without = (references: string[]) =>
    references.filter((each) => elementOf(each) !== element);
  if (on) return changeEvent(index, { [role]: [...without(event[role]), element] });
  if (role !== "elements") return changeEvent(index, { [role]: without(event[role]) });
  changeEvent(index, {
    elements: without(event.elements),
    movable: without(event.movable),
    scalable: without(event.scalable),
    replaceable: without(event.replaceable),
    pairs: event.pairs.filter((pair) => pair.every((each) => elementOf(each) !== element)),
  });
}

/** A pair in place of the one that its first element had. */
export function addPair(index: number, constrained: string, constraining: string): void {
  const event = activityHere.peek()?.events[index];
  if (!event) return;
  const others = event.pairs.filter(([own]) => elementOf(own) !== elementOf(constrained));
  changeEvent(index, { pairs: [...others, [constrained, constraining]] });
}

export function removePair(index: number, constrained: string): void {
  const event = activityHere.peek()?.events[index];
  if (event) changeEvent(index, { pairs: event.pairs.filter(([own]) => own !== constrained) });
}

/** All that a pair or a look can name: elements, and anchors of objects. */
export function references({ objects, effectors }: ActivityInfo): string[] {
  const props = objects.flatMap(({ name, anchors }) => [
    name,
    ...anchors.map((anchor) => `${name}.${anchor}`),
  ]);
  return [...effectors.map(({ name }) => name), ...props];
}

function about(
  made: (given: { activity: string; character: string; take: string }) => Change,
): void {
  const here = activityHere.peek();
  if (here) apply(made({ activity: here.name, character: here.character, take: here.take }));
}

function apply(change: Change): void {
  send({ type: "ApplyChange", change });
}
