// A plain word where a drag cannot start, and what to press instead.

import { cast, takeOf } from "../state/document";
import { flattening } from "../state/layers";
import { take } from "../state/view";
import type { Change, PointRef } from "../wire/messages";

export interface Refusal {
  text: string;
  press: string;
  /** The tool that can do it. */
  tool?: string;
  /** The change that makes it possible. */
  change?: Change;
  /** What else makes it possible. */
  does?: () => void;
}

const CLOSE = 0.003; // of a character's height

/** Tools that bend keys need them bare: samples are turned into keys, layers are flattened first. */
export function fitFirst(spot: PointRef): Refusal | null {
  const character = spot.character ?? "";
  const told = takeOf(character, take.value);
  if (!told || (told.keyed && told.layers.length === 0)) return null;
  if (told.layers.length > 0)
    return {
      text: `This take has ${told.layers.length === 1 ? "a layer" : `${told.layers.length} layers`} on it.`,
      press: "Flatten layers",
      change: flattening(character, take.value),
    };
  const tolerance = CLOSE * (cast.value?.scale ?? 1);
  return {
    text: "Baked motion: this take has no keys yet.",
    press: "Fit keyframes",
    change: { change: "FitTake", character, take: take.value, tolerance },
  };
}
