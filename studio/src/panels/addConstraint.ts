// Adds constraints by menu and by command.

import { pointConstraints } from "../state/pinsAndContacts";
import type { MenuItem } from "../controls/menu";
import { addCommands, commands, hotkeyOf } from "../state/commands";
import { addConstraint } from "../state/constraints";
import { sceneInfo, rigOf, takeOf, welcome } from "../state/document";
import { footplantsHere } from "../state/footplants";
import {
  character,
  frame,
  lastFrame,
  playing,
  points,
  range as playbackRange,
  rate,
  take,
} from "../state/view";
import { rangedTool } from "../tools/shared/registry";
import { curveOf, orientationAt, sampleAt } from "../viewport/motionCurve";
import { worldAt } from "../viewport/shownPose";
import type { Vec3, PointRef } from "../wire/messages";
import { CHOICES, gapAt, otherChoices, type Choice, type Here } from "../constraints/make";

const AIR = 0.15; // s: whoever is off the ground for less does not fly

function here(): Here {
  const now = playing.peek() ? Math.floor(frame.peek()) : frame.peek();
  const of = points.value.at(-1)?.character || character.value;
  const range = rangedTool()?.editRange;
  const around = (range?.framesAround(now) ?? [0, lastFrame.value]).map(Math.round);
  return {
    points: points.value.filter((each) => (each.character || character.value) === of),
    frame: now,
    frames: playbackRange.value ?? (around as [number, number]),
    chosen: playbackRange.value !== null,
    rate: rate.value,
    scale: sceneInfo.value?.scale ?? 1,
    joints: rigOf(of)?.joints ?? [],
    placeAt,
    orientationAt: (point, at) => {
      const curve = curveOf(point, false);
      const turned = curve && orientationAt(curve, at);
      return turned ? [turned.w, turned.x, turned.y, turned.z] : null;
    },
    inAir: gapAt(standing(of), now, AIR * rate.value),
  };
}

function placeAt(point: PointRef, at: number): Vec3 | null {
  const curve = curveOf(point, false);
  const found = curve ? sampleAt(curve, at) : worldAt(point, at);
  return found?.toArray() ?? null;
}

/** Frames in which some point of a character stands. */
function standing(of: string): [number, number][] {
  const all = [...pointConstraints.value, ...footplantsHere()].filter(
    (pointConstraint) =>
      pointConstraint.kind !== "pin" &&
      !pointConstraint.relative_to &&
      pointConstraint.point.character === of &&
      (!pointConstraint.take || pointConstraint.take === take.value),
  );
  return all.map((pointConstraint) => [
    pointConstraint.start * rate.value,
    pointConstraint.end * rate.value,
  ]);
}

/** What the server has besides the choices of this page. */
function others(): Choice[] {
  return otherChoices(welcome.value?.constraint_kinds ?? []);
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

/** Pins and contacts first, then the constraints of spacetime edits. */
export function addItems(): MenuItem[] {
  const simple = ["constraints.pin", "constraints.contact"].flatMap((id): MenuItem[] => {
    const found = commands().find((each) => each.id === id);
    const label = id === "constraints.pin" ? "Pin" : "Contact";
    return found
      ? [{ label, hotkey: hotkeyOf(found), enabled: found.enabled?.() ?? true, run: found.run }]
      : [];
  });
  const chosen = [...CHOICES, ...others()].map((choice, i): MenuItem => {
    const enabled = canBeMade(choice);
    const label = enabled || !choice.needs ? choice.label : `${choice.label}: ${choice.needs}`;
    return { label, line: i === 0, enabled, run: () => make(choice) };
  });
  return [...simple, ...chosen];
}

export function addConstraintCommands(): void {
  addCommandsOf(CHOICES);
}

/** Once the server has said which kinds it has. */
export function addOtherConstraintCommands(): void {
  addCommandsOf(others());
}

function addCommandsOf(choices: readonly Choice[]): void {
  addCommands(
    choices.map((choice) => ({
      id: `constraints.add_${choice.id}`,
      label: `Add constraint: ${choice.label.toLowerCase()}`,
      group: "Constraints" as const,
      enabled: () => canBeMade(choice),
      run: () => make(choice),
    })),
  );
}
