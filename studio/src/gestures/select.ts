// The selection of points; selecting one shows its motion curve.

import { pointKey, documentState } from "../state/document";
import { character, selectedConstraint, points } from "../state/view";
import { showActor } from "../state/shownTakes";
import type { PointRef } from "../wire/messages";

/** Selects a point, or adds it to the others; one that is selected already then goes. */
export function select(point: PointRef, add = false): void {
  const name = pointKey(point);
  const others = points.peek().filter((each) => pointKey(each) !== name);
  const had = others.length < points.peek().length;
  if (
    point.character &&
    point.character !== character.peek() &&
    documentState.peek()?.takes[point.character]?.length
  )
    showActor(point.character);
  selectedConstraint.value = null;
  if (!add) points.value = [point];
  else points.value = had ? others : [...others, point];
}

/** Makes a selected point the one that acts. */
export function lead(point: PointRef): void {
  const name = pointKey(point);
  points.value = [...points.peek().filter((each) => pointKey(each) !== name), point];
}

export function selectNothing(): void {
  points.value = [];
  selectedConstraint.value = null;
}
