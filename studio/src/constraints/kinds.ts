// What constraints of all kinds have: points and a range.

import type { Constraint, PointRef } from "../wire/messages";
import { kindOf, valueOf } from "./fields";

export function pointsOf(constraint: Constraint): PointRef[] {
  const names = (kindOf(constraint.kind)?.fields ?? [])
    .filter((field) => field.quantity === "point")
    .map((field) => field.name);
  return names.flatMap((name) => (valueOf(constraint, name) as PointRef | null) ?? []);
}

/** First and last moment, s. */
export function spanOf(constraint: Constraint): [number, number] {
  if (constraint.kind !== "path") return [constraint.start, constraint.end];
  return [constraint.times[0] ?? 0, constraint.times.at(-1) ?? 0];
}

/** The same from another moment to another; a path is gone through in the new time. */
export function withSpan(constraint: Constraint, start: number, end: number): Constraint {
  if (constraint.kind !== "path") return { ...constraint, start, end: Math.max(end, start) };
  const [first, last] = spanOf(constraint);
  const long = last - first;
  const stretch = long > 0 ? Math.max(end - start, 1e-3) / long : 1;
  return { ...constraint, times: constraint.times.map((time) => start + (time - first) * stretch) };
}
