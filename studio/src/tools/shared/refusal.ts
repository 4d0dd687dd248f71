// Why a drag cannot start, and the button that helps.

import { sceneInfo, takeOf } from "../../state/document";
import { flattening } from "../../state/layers";
import { take } from "../../state/view";
import type { Change, PointRef, TakeInfo } from "../../wire/messages";

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

/** Whether the keys of a take cannot be edited: there are none, or layers lie over them. */
export function isWithoutKeys(info: TakeInfo): boolean {
  return !info.keyed || info.layers.length > 0;
}

/** Refuses takes whose keys cannot be edited: baked motion is fitted first, layers are flattened. */
export function keysFirst(point: PointRef): Refusal | null {
  const character = point.character ?? "";
  const info = takeOf(character, take.value);
  if (!info || !isWithoutKeys(info)) return null;
  if (info.layers.length > 0)
    return {
      text: `This take has ${info.layers.length === 1 ? "a layer" : `${info.layers.length} layers`} on it.`,
      press: "Flatten layers",
      change: flattening(character, take.value),
    };
  const tolerance = CLOSE * (sceneInfo.value?.scale ?? 1);
  return {
    text: "Baked motion: this take has no keys yet.",
    press: "Fit keyframes",
    change: { change: "FitTake", character, take: take.value, tolerance },
  };
}
