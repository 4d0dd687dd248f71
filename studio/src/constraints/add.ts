// Adds constraints by menu and by command.

import type { MenuItem } from "../panels/menu";
import { addCommands, commands, hotkeyOf } from "../state/commands";
import { addConstraint } from "../state/constraints";
import { cast, rigOf, story, takeOf } from "../state/document";
import { plantsHere } from "../state/plants";
import { character, frame, lastFrame, playing, points, range, rate, take } from "../state/view";
import { framesAround } from "../tools/spacetime";
import { curveOf, sampleAt } from "../viewport/samples";
import { worldAt } from "../viewport/shown";
import type { Vec3, PointRef } from "../wire/messages";
import { CHOICES, gapAt, type Choice, type Here } from "./make";

const AIR = 0.15; // s: whoever is off the ground for less does not fly

function here(): Here {
  const now = playing.peek() ? Math.floor(frame.peek()) : frame.peek();
  const of = points.value.at(-1)?.character || character.value;
  const around = framesAround(now).map(Math.round) as [number, number];
  return {
    points: points.value.filter((each) => (each.character || character.value) === of),
    frame: now,
    frames: range.value ?? around,
    chosen: range.value !== null,
    rate: rate.value,
    scale: cast.value?.scale ?? 1,
    joints: rigOf(of)?.joints ?? [],
    placeAt,
    inAir: gapAt(standing(of), now, AIR * rate.value),
  };
}

function placeAt(spot: PointRef, at: number): Vec3 | null {
  const curve = curveOf(spot, false);
  const found = curve ? sampleAt(curve, at) : worldAt(spot, at);
  return found?.toArray() ?? null;
}

/** Frames in which some point of a character stands. */
function standing(of: string): [number, number][] {
  const all = [...(story.value?.point_constraints ?? []), ...plantsHere()].filter(
    (wish) =>
      wish.kind !== "pin" &&
      !wish.relative_to &&
      wish.point.character === of &&
      (!wish.take || wish.take === take.value),
  );
  return all.map((wish) => [wish.start * rate.value, wish.end * rate.value]);
}

function canBeMade(choice: Choice): boolean {
  const of = points.value.at(-1)?.character || character.value;
  const plays =
    takeOf(of, take.value) !== undefined && lastFrame.value > 0 && rigOf(of)?.prop === false;
  return plays && choice.make(here()) !== null;
}

function make(choice: Choice): void {
  const made = choice.make(here());
  if (made) addConstraint(made);
}

/** Pins and contacts first, then all that drags of whole motions keep. */
export function addItems(): MenuItem[] {
  const simple = ["wishes.pin", "wishes.contact"].flatMap((id): MenuItem[] => {
    const found = commands().find((each) => each.id === id);
    const label = id === "wishes.pin" ? "Pin" : "Contact";
    return found
      ? [{ label, hotkey: hotkeyOf(found), enabled: found.enabled?.() ?? true, run: found.run }]
      : [];
  });
  const others = CHOICES.map((choice, i): MenuItem => {
    const enabled = canBeMade(choice);
    const label = enabled || !choice.needs ? choice.label : `${choice.label}: ${choice.needs}`;
    return { label, line: i === 0, enabled, run: () => make(choice) };
  });
  return [...simple, ...others];
}

export function addConstraintCommands(): void {
  addCommands(
    CHOICES.map((choice) => ({
      id: `wishes.add_${choice.id}`,
      label: `Add: ${choice.label.toLowerCase()}`,
      group: "Constraints" as const,
      enabled: () => canBeMade(choice),
      run: () => make(choice),
    })),
  );
}
