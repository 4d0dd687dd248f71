// Labels of constraint kinds, and what all of them have: points and frames.

import type { Constraint, PointRef, Region } from "../wire/messages";

export const WORDS: Record<Constraint["kind"], string> = {
  apart: "Keep distance",
  floor: "Floor",
  stay: "Region",
  follow: "Follow path",
  meet: "Match position",
  turned: "Keep orientation",
  balance: "Balance",
  flight: "Ballistic flight",
};

const SHAPES: Record<Region["shape"], string> = {
  box: "box",
  ball: "sphere",
  cylinder: "cylinder",
  half_space: "plane",
};

/** "LeftFoot outside box". */
export function titleOf(constraint: Constraint): string {
  switch (constraint.kind) {
    case "apart":
      return `${constraint.point.joint} to ${constraint.other.joint}`;
    case "floor":
      return `${constraint.point?.joint ?? "Feet"} above floor`;
    case "stay":
      return `${constraint.point.joint} ${constraint.inside ? "inside" : "outside"} ${SHAPES[constraint.region.shape]}`;
    case "follow":
      return `${constraint.point.joint} on path`;
    case "meet":
      return `${constraint.point.joint} match position`;
    case "turned":
      return `${constraint.point.joint} orientation`;
    case "balance":
      return "Balance";
    case "flight":
      return "Flight";
  }
}

export function pointsOf(constraint: Constraint): PointRef[] {
  if (constraint.kind === "apart") return [constraint.point, constraint.other];
  if (constraint.kind === "balance" || constraint.kind === "flight") return [];
  return constraint.point ? [constraint.point] : [];
}

/** First and last moment, s. */
export function spanOf(constraint: Constraint): [number, number] {
  if (constraint.kind !== "follow") return [constraint.start, constraint.end];
  return [constraint.times[0] ?? 0, constraint.times.at(-1) ?? 0];
}

/** The same from another moment to another; a path is gone through in the new time. */
export function withSpan(constraint: Constraint, start: number, end: number): Constraint {
  if (constraint.kind !== "follow") return { ...constraint, start, end: Math.max(end, start) };
  const [first, last] = spanOf(constraint);
  const long = last - first;
  const stretch = long > 0 ? Math.max(end - start, 1e-3) / long : 1;
  return { ...constraint, times: constraint.times.map((time) => start + (time - first) * stretch) };
}
