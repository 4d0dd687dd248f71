// Footplants that a drag of the whole motion would find: seen before it, real once one of them is edited.

import { computed, effect, signal } from "@preact/signals-core";
import type { Change, Footplants, PointRef, PointConstraintInfo } from "../wire/messages";
import { say } from "../wire/socket";
import { inStep, rigOf, spotName, story, takeOf } from "./document";
import { character, options, take, tool } from "./view";

/** A footplant that is found, with a place in the list of those of its take. */
export type Plant = Omit<PointConstraintInfo, "kind"> & { kind: "plant" };
/** All that keeps a point for a while: pins, contacts, and plants that are only found. */
export type Wish = PointConstraintInfo | Plant;

/** What the server found last. */
export const found = signal<Footplants | null>(null);
/** Whether it is looking for those of the motion as it is now. */
const looking = signal(false);

/** The server has looked; it says nothing about a motion that has changed since. */
export function tellPlants(told: Footplants): void {
  found.value = told;
  if (told.character === character.peek() && told.take === take.peek()) looking.value = false;
}

/** Whether all that are to be seen were told. */
export function plantsTold(): boolean {
  return !wanted.value || !looking.value;
}

function settings(): { find: boolean; heels: boolean } {
  const now = options.value["spacetime"] ?? {};
  return { find: now["find_plants"] !== false, heels: now["heels"] === true };
}

const wanted = computed(
  () =>
    tool.value === "spacetime" &&
    settings().find &&
    takeOf(character.value, take.value) !== undefined &&
    rigOf(character.value)?.prop === false,
);

const here = computed<readonly Plant[]>(() => {
  const told = found.value;
  if (!told || !wanted.value || told.character !== character.value || told.take !== take.value)
    return [];
  const plants = told.footplants.map(({ point, start, end }, index): Plant => ({
    kind: "plant",
    index,
    name: `${point.joint}, found`,
    point,
    start,
    end,
    position: true,
    orientation: false,
    relative_to: null,
    take: told.take,
  }));
  return plants.filter((plant) => !kept(plant));
});

/** Whether a contact of the scene holds it by now: the server's next word will leave it out. */
function kept(plant: Plant): boolean {
  return (story.value?.point_constraints ?? []).some(
    (wish) =>
      wish.kind === "contact" &&
      (!wish.take || wish.take === plant.take) &&
      spotName(wish.point) === spotName(plant.point) &&
      wish.start <= plant.end &&
      wish.end >= plant.start,
  );
}

/** Those of the take that is shown. */
export function plantsHere(): readonly Plant[] {
  return here.value;
}

/** What there is to say of footplants where none is seen. */
export function noPlants(): "off" | "none" | "unknown" {
  if (!settings().find) return "off";
  const told = found.value;
  return told?.character === character.value && told.take === take.value ? "none" : "unknown";
}

/** Asks whenever the motion has changed; what was found before is shown meanwhile. */
export function startPlants(): void {
  let asked = "";
  effect(() => {
    const about = { character: character.value, take: take.value, include_heels: settings().heels };
    const now = JSON.stringify([about, story.value?.revision, inStep.value]);
    if (!wanted.value || !inStep.value || now === asked) return;
    asked = now;
    looking.value = true;
    say({ type: "RequestFootplants", ...about });
  });
}

/** All that are found become contacts; one of them with another range, or left out. */
export function keeping(one?: {
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

export function keepPlants(): void {
  say({ type: "ApplyChange", change: keeping() });
}

export function leaveOut({ point, start }: Plant): void {
  say({ type: "ApplyChange", change: keeping({ point, was: start, without: true }) });
}
