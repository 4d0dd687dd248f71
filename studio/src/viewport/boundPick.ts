// The constraint under the pointer: a grip first, else its outline.

import { Vector3 } from "three";
import type { Vec3 } from "../wire/messages";
import { boundsNow, isFine, type Bound } from "./bound";
import { clipped, nearestOn, project } from "./eye";
import type { Pick } from "./picking";
import type { Stage } from "./stage";

const LINE = 0.5; // of the reach: lines are thin, but many

export function boundAt(
  stage: Stage,
  x: number,
  y: number,
  near: number,
): { pick: Pick; distance: number } | null {
  let best: { pick: Pick; distance: number } | null = null;
  const offer = (bound: Bound, grip: string, world: Vector3, distance: number) => {
    if (!best || distance < best.distance)
      best = { pick: { kind: "bound", told: bound.told, grip, world }, distance };
  };
  for (const bound of boundsNow(stage)) {
    const met = gripAt(stage, bound, x, y, near);
    if (met) offer(bound, met.id, met.world, met.distance);
    else {
      const distance = lineAt(stage, bound, x, y);
      const middle = bound.grips.find((grip) => grip.id === "middle")?.place ?? bound.segments[0];
      if (distance < LINE * near && middle) offer(bound, "", new Vector3(...middle), distance + 2);
    }
  }
  return best;
}

function gripAt(
  stage: Stage,
  bound: Bound,
  x: number,
  y: number,
  near: number,
): { id: string; world: Vector3; distance: number } | null {
  let best: { id: string; world: Vector3; distance: number } | null = null;
  for (const grip of bound.grips) {
    if (isFine(grip) && !bound.chosen) continue;
    const world = new Vector3(...grip.place);
    const seen = project(stage.orbit, world);
    const distance = seen ? Math.hypot(seen.x - x, seen.y - y) : Infinity;
    if (distance < near && (!best || distance < best.distance))
      best = { id: grip.id, world, distance };
  }
  return best;
}

function lineAt(stage: Stage, { segments }: Bound, x: number, y: number): number {
  let least = Infinity;
  const vector = (place: Vec3) => new Vector3(...place);
  for (let i = 0; i + 1 < segments.length; i += 2) {
    const ends = clipped(stage.orbit, vector(segments[i]!), vector(segments[i + 1]!));
    if (ends) least = Math.min(least, nearestOn(ends, x, y)?.distance ?? Infinity);
  }
  return least;
}
