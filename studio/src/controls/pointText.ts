// Lengths, points and frames as text.

import { sceneInfo } from "../state/document";
import type { PointRef } from "../wire/messages";

/** "3.2 cm", in the scene's unit. */
export function length(metres: number): string {
  const centimetres = sceneInfo.value?.unit === "cm";
  const value = metres * (centimetres ? 100 : 1);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : centimetres ? 1 : 2;
  return `${value.toFixed(digits)} ${centimetres ? "cm" : "m"}`;
}

/** A point by the name of its joint, as the file has it: "LeftHand", "on LeftHand" beside the joint. */
export function pointText(point: PointRef): string {
  const off = (point.offset ?? [0, 0, 0]).some((each) => each !== 0);
  return off ? `on ${point.joint}` : point.joint;
}

export function frameLabel(frame: number): string {
  const whole = Math.round(frame);
  return `frame ${Math.abs(frame - whole) < 0.02 ? whole : frame.toFixed(1)}`;
}
