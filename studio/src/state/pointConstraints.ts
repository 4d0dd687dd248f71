// The pins and contacts of the shown take, and the changes that remove or detect them.

import { pointConstraints, type PointConstraintInfo } from "./pinsAndContacts";
import { send } from "../wire/socket";
import { removeConstraint } from "./constraints";
import { footplantsHere, rejectFootplant, type PointConstraint } from "./footplants";
import { character, selectedConstraint, take } from "./view";

export function pointConstraintsHere(): PointConstraintInfo[] {
  return pointConstraints.value.filter((each) => !each.take || each.take === take.value);
}

/** Removes a pin or contact. */
export function removePointConstraint({ index, point }: PointConstraintInfo): void {
  send({
    type: "ApplyChange",
    change: {
      change: "RemoveConstraint",
      character: point.character || character.peek(),
      take: take.peek(),
      index,
    },
  });
}

/** Removes the selected pin, contact or constraint; rejects a selected footplant. */
export function removeSelected({
  kind,
  index,
}: {
  kind: PointConstraint["kind"] | "constraint";
  index: number;
}): void {
  const same = (each: PointConstraint) => each.kind === kind && each.index === index;
  const footplant = footplantsHere().find(same);
  const pointConstraint = pointConstraints.peek().find(same);
  if (kind === "constraint") removeConstraint(index);
  else if (footplant) rejectFootplant(footplant);
  else if (pointConstraint) removePointConstraint(pointConstraint);
  selectedConstraint.value = null;
}

/** Adds contacts where feet stand still and hands hold props. */
export function detectContacts(): void {
  send({
    type: "ApplyChange",
    change: { change: "DetectContacts", character: character.peek(), take: take.peek() },
  });
}
