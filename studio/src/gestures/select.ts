// Which points are selected; selecting one shows its curve.

import { spotName, story } from "../state/document";
import { character, chosenWish, points, take } from "../state/view";
import { takeShown } from "../viewport/shown";
import type { PointRef } from "../wire/messages";

/** Selects a point, or adds it to the others; one that is selected already then goes. */
export function select(spot: PointRef, add = false): void {
  const name = spotName(spot);
  const others = points.peek().filter((each) => spotName(each) !== name);
  const had = others.length < points.peek().length;
  if (
    spot.character &&
    spot.character !== character.peek() &&
    story.peek()?.takes[spot.character]?.length
  ) {
    take.value = takeShown(spot.character);
    character.value = spot.character;
  }
  chosenWish.value = null;
  if (!add) points.value = [spot];
  else points.value = had ? others : [...others, spot];
}

/** Makes a selected point the one that acts. */
export function lead(spot: PointRef): void {
  const name = spotName(spot);
  points.value = [...points.peek().filter((each) => spotName(each) !== name), spot];
}

export function selectNothing(): void {
  points.value = [];
  chosenWish.value = null;
}
