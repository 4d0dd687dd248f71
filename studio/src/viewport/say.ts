// Numbers and names as people say them.

import { cast } from "../state/document";
import type { PointRef } from "../wire/messages";

/** "3.2 cm", in the scene's unit. */
export function length(metres: number): string {
  const centimetres = cast.value?.unit === "cm";
  const value = metres * (centimetres ? 100 : 1);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : centimetres ? 1 : 2;
  return `${value.toFixed(digits)} ${centimetres ? "cm" : "m"}`;
}

/** "Left hand" for LeftHand, left_hand or mixamorig:LeftHand. */
export function jointWords(joint: string): string {
  const own = joint.slice(joint.lastIndexOf(":") + 1).replace(/[_.]+/g, " ");
  const words = own
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Za-z])([0-9])/g, "$1 $2")
    .trim();
  const lower = words.toLowerCase();
  return lower ? lower[0]!.toUpperCase() + lower.slice(1) : joint;
}

export function spotWords(spot: PointRef): string {
  const off = (spot.offset ?? [0, 0, 0]).some((each) => each !== 0);
  return off ? `on ${jointWords(spot.joint).toLowerCase()}` : jointWords(spot.joint);
}

export function frameWords(frame: number): string {
  const whole = Math.round(frame);
  return `frame ${Math.abs(frame - whole) < 0.02 ? whole : frame.toFixed(1)}`;
}
