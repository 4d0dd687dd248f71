// Footplants that the server detects: shown before a drag, contacts once one of them is edited.

import { pointConstraints, type PointConstraintInfo } from "./pinsAndContacts";
import { computed, effect, signal } from "@preact/signals-core";
import type { Change, Footplants, PointRef } from "../wire/messages";
import { send } from "../wire/socket";
import { inStep, rigOf, pointKey, documentState, takeOf } from "./document";
import { activeTraits } from "./toolTraits";
import { character, options, take, tool } from "./view";

/** A detected footplant, with its index in its take. */
export type Footplant = Omit<PointConstraintInfo, "kind"> & { kind: "footplant" };
/** Pins, contacts and detected footplants. */
export type PointConstraint = PointConstraintInfo | Footplant;

/** What the server detected last. */
export const found = signal<Footplants | null>(null);
/** Whether it is looking for those of the motion as it is now. */
const looking = signal(false);

/** An answer of the server; it sends none for a motion that has changed since. */
export function receiveFootplants(info: Footplants): void {
  found.value = info;
  if (info.character === character.peek() && info.take === take.peek()) looking.value = false;
}

/** Whether the footplants that are shown are loaded. */
export function footplantsLoaded(): boolean {
  return !wanted.value || !looking.value;
}

function settings(): { find: boolean; heels: boolean } {
  const names = activeTraits().footplantOptions;
  const now = options.value[tool.value] ?? {};
  return names
    ? { find: now[names.detect] !== false, heels: now[names.heels] === true }
    : { find: false, heels: false };
}

const wanted = computed(
  () =>
    settings().find &&
    takeOf(character.value, take.value) !== undefined &&
    rigOf(character.value)?.prop === false,
);

const here = computed<readonly Footplant[]>(() => {
  const info = found.value;
  if (!info || !wanted.value || info.character !== character.value || info.take !== take.value)
    return [];
  const footplants = info.footplants.map(({ point, start, end }, index): Footplant => ({
    kind: "footplant",
    index,
    name: `${point.joint}, found`,
    point,
    start,
    end,
    position: true,
    orientation: false,
    relative_to: null,
    take: info.take,
  }));
  return footplants.filter((footplant) => !kept(footplant));
});

/** Whether a contact of the scene covers it by now: the server's next answer leaves it out. */
function kept(footplant: Footplant): boolean {
  return pointConstraints.value.some(
    (pointConstraint) =>
      pointConstraint.kind === "contact" &&
      (!pointConstraint.take || pointConstraint.take === footplant.take) &&
      pointKey(pointConstraint.point) === pointKey(footplant.point) &&
      pointConstraint.start <= footplant.end &&
      pointConstraint.end >= footplant.start,
  );
}

/** Those of the take that is shown. */
export function footplantsHere(): readonly Footplant[] {
  return here.value;
}

/** Why no footplants are shown. */
export function footplantStatus(): "off" | "none" | "unknown" {
  if (!settings().find) return "off";
  const info = found.value;
  return info?.character === character.value && info.take === take.value ? "none" : "unknown";
}

/** Asks whenever the motion has changed; what was found before is shown meanwhile. */
export function startFootplants(): void {
  let requested = "";
  effect(() => {
    const about = { character: character.value, take: take.value, include_heels: settings().heels };
    const now = JSON.stringify([about, documentState.value?.revision, inStep.value]);
    if (!wanted.value || !inStep.value || now === requested) return;
    requested = now;
    looking.value = true;
    send({ type: "RequestFootplants", ...about });
  });
}

/** All that are found become contacts; one of them with another range, or left out. */
export function acceptChange(one?: {
  point: PointRef;
  was: number;
  start?: number;
  end?: number;
  without?: boolean;
}): Change {
  return {
    change: "AcceptFootplants",
    character: character.peek(),
    take: take.peek(),
    include_heels: settings().heels,
    ...one,
  };
}

export function acceptFootplants(): void {
  send({ type: "ApplyChange", change: acceptChange() });
}

export function rejectFootplant({ point, start }: Footplant): void {
  send({ type: "ApplyChange", change: acceptChange({ point, was: start, without: true }) });
}
