// Picks the constraint under the pointer: a handle first, else its outline.

import { Vector3 } from "three";
import type { Vec3 } from "../wire/messages";
import { constraintDrawings, isFine, type ConstraintDrawing } from "./constraintDrawing";
import { clipped, nearestOn, project } from "./projection";
import type { Pick } from "./pick";
import type { SceneView } from "./sceneView";

const LINE = 0.5; // of the reach: lines are thin, but many

export function constraintAt(
  stage: SceneView,
  x: number,
  y: number,
  near: number,
): { pick: Pick; distance: number } | null {
  let best: { pick: Pick; distance: number } | null = null;
  const offer = (drawing: ConstraintDrawing, handle: string, world: Vector3, distance: number) => {
    if (!best || distance < best.distance)
      best = { pick: { kind: "constraint", info: drawing.info, handle, world }, distance };
  };
  for (const drawing of constraintDrawings(stage)) {
    const met = handleAt(stage, drawing, x, y, near);
    if (met) offer(drawing, met.id, met.world, met.distance);
    else {
      const distance = lineAt(stage, drawing, x, y);
      const middle =
        drawing.handles.find((handle) => handle.id === "middle")?.place ?? drawing.segments[0];
      if (distance < LINE * near && middle)
        offer(drawing, "", new Vector3(...middle), distance + 2);
    }
  }
  return best;
}

function handleAt(
  stage: SceneView,
  drawing: ConstraintDrawing,
  x: number,
  y: number,
  near: number,
): { id: string; world: Vector3; distance: number } | null {
  let best: { id: string; world: Vector3; distance: number } | null = null;
  for (const handle of drawing.handles) {
    if (isFine(handle) && !drawing.chosen) continue;
    const world = new Vector3(...handle.place);
    const seen = project(stage.orbit, world);
    const distance = seen ? Math.hypot(seen.x - x, seen.y - y) : Infinity;
    if (distance < near && (!best || distance < best.distance))
      best = { id: handle.id, world, distance };
  }
  return best;
}

function lineAt(stage: SceneView, { segments }: ConstraintDrawing, x: number, y: number): number {
  let least = Infinity;
  const vector = (place: Vec3) => new Vector3(...place);
  for (let i = 0; i + 1 < segments.length; i += 2) {
    const ends = clipped(stage.orbit, vector(segments[i]!), vector(segments[i + 1]!));
    if (ends) least = Math.min(least, nearestOn(ends, x, y)?.distance ?? Infinity);
  }
  return least;
}
