// Checks that lessons share. Metres.

import type { PointConstraintInfo } from "../state/pinsAndContacts";
import { farthest, farthestFrom, placeAt, travelled } from "../state/curvePlace";
import type { MotionCurve } from "../state/document";
import type { PointRef } from "../wire/messages";
import type { Seen } from "./lesson";

export function curveOf(seen: Seen, joint: string): MotionCurve | undefined {
  return seen.curves.find((each) => each.point.joint === joint);
}

/** How far the curve of a joint has moved between two looks. */
export function moved(now: Seen, before: Seen, joint: string): number {
  const [one, other] = [curveOf(now, joint), curveOf(before, joint)];
  return one && other ? farthest(one, other) : 0;
}

export function stepped(now: Seen, start: Seen): boolean {
  return now.done.length > start.done.length;
}

/** The pin or contact on a foot or its toes. */
export function onFoot(
  seen: Seen,
  kind: PointConstraintInfo["kind"],
  side: "left" | "right",
): PointConstraintInfo | undefined {
  const foot = new RegExp(`${side}.*(foot|toe|ankle)|(foot|toe|ankle).*${side}`, "i");
  return seen.pointConstraints.find((each) => each.kind === kind && foot.test(each.point.joint));
}

/** How far points in contact are from where their contact began, at most; only those that an edit touched. */
export function slid(now: Seen, before: Seen): number {
  const all = now.pointConstraints.filter((each) => each.kind === "contact");
  return Math.max(0, ...all.map((each) => slidBy(now, before, each)));
}

function slidBy(now: Seen, before: Seen, pointConstraint: PointConstraintInfo): number {
  const own = (seen: Seen) =>
    seen.curves.find((each) => samePoint(each.point, pointConstraint.point));
  const frames: [number, number] = [
    pointConstraint.start * now.rate,
    pointConstraint.end * now.rate,
  ];
  const [one, other] = [own(now), own(before)];
  const home = other && placeAt(other, frames[0]);
  if (!one || !other || !home || farthest(one, other, frames) < 1e-5) return 0;
  return farthestFrom(one, home, frames);
}

function samePoint(one: PointRef, other: PointRef): boolean {
  const far = (one.offset ?? [0, 0, 0]).some(
    (each, i) => Math.abs(each - (other.offset?.[i] ?? 0)) > 1e-4,
  );
  return one.joint === other.joint && !far;
}

const SLOWEST = 0.02; // of the fastest step between two samples

/** The share of a curve in which the point stands, while it moves in the rest. */
export function standing(curve: MotionCurve | undefined): number {
  const { positions } = curve ?? { positions: new Float32Array() };
  const steps = [];
  for (let i = 3; i < positions.length; i += 3)
    steps.push(
      Math.hypot(...[0, 1, 2].map((axis) => positions[i + axis]! - positions[i + axis - 3]!)),
    );
  const fastest = Math.max(0, ...steps);
  return steps.filter((each) => each < SLOWEST * fastest).length / Math.max(steps.length, 1);
}

/** The joint of a body part, by the names that rigs use. */
export function jointFor(seen: Seen, part: "right hand" | "hips" | "left toes"): string {
  const names: Record<typeof part, RegExp[]> = {
    "right hand": [/^right.?hand$/i, /right.*(hand|wrist)/i, /(hand|wrist).*(r|right)$/i],
    hips: [/^hips$/i, /hips|pelvis/i],
    "left toes": [/^left.?toes?$/i, /left.*(toe|foot|ankle)/i, /(toe|foot|ankle).*(l|left)$/i],
  };
  for (const name of names[part]) {
    const found = seen.joints.find((each) => name.test(each));
    if (found) return found;
  }
  return seen.joints[0] ?? "";
}

/** The frame in the middle of the stretch between two keys that travels farthest: easiest to see and to bend. */
export function easyFrame(seen: Seen, joint: string): number {
  const curve = curveOf(seen, joint);
  const keys = curve?.keys ?? [];
  let best = { far: -1, frame: 0 };
  keys.slice(1).forEach((end, i) => {
    const [from, to] = [(keys[i] ?? 0) * seen.rate, end * seen.rate];
    const far = curve ? travelled(curve, from, to) : 0;
    if (far > best.far) best = { far, frame: Math.round(0.5 * (from + to)) };
  });
  return best.frame;
}

export function centimetres(metres: number): string {
  return `${(100 * metres).toFixed(1)} cm`;
}
