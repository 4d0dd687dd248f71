// Two orthogonal arrows on frames of a motion curve: orientation by direction, scale by length.

import { Quaternion, Vector3 } from "three";
import { rigOf, type MotionCurve } from "../state/document";
import { orientationArrows, points } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import { jointMatrix } from "./pose";
import { curveOf } from "./motionCurve";
import type { Pick } from "./pick";
import { project, type Seen } from "./projection";
import type { SceneView } from "./sceneView";
import { loadedPoseAt } from "./shownPose";

export const ARROW_PIXELS = 28; // of an arrow at scale 1 that lies across the view
const ROOM = 30; // px between two frames with arrows, at least
const CLOSE = 14; // px; where the motion is slow, frames in between have none
const WIDE = 220; // px of a curve; on a shorter one arrows would hide it, unless they are switched on
const STEPS = [1, 2, 3, 4, 6, 8, 12, 24] as const; // frames
const ROTATES = 0.35; // rad; a joint that turns less shows no arrows by itself
const AXES = 2;
const SHORTEST = 14; // px; an arrow that points at the camera lies on the curve, and cannot be dragged

export interface FrameArrow {
  frame: number;
  axis: number;
  centre: Vector3;
  way: Vector3; // one long at scale 1
}

/** Whether a curve has arrows now: switched on, or its joint rotates and the tool drags them. */
export function hasArrows(stage: SceneView, curve: MotionCurve): boolean {
  if (orientationArrows.value) return true;
  return activeTool().dragsArrows === true && rotates(curve) && seenLength(stage, curve) >= WIDE;
}

const known = new WeakMap<Float32Array, boolean>();

function rotates({ orientations }: MotionCurve): boolean {
  const before = known.get(orientations);
  if (before !== undefined) return before;
  const first = new Quaternion().fromArray(orientations, 0);
  const each = new Quaternion();
  let found = false;
  for (let i = 4; i + 3 < orientations.length && !found; i += 4)
    found = first.angleTo(each.fromArray(orientations, i)) > ROTATES;
  known.set(orientations, found);
  return found;
}

/** The arrows of a curve as they are drawn; at every n-th frame where they would crowd. */
export function arrowsOn(stage: SceneView, curve: MotionCurve): FrameArrow[] {
  const total = curve.positions.length / 3;
  const frames = Math.floor((total - 1) / curve.perFrame);
  const step = arrowStep(seenLength(stage, curve) / Math.max(frames, 1));
  const scales = scalesOf(curve);
  const arrows: FrameArrow[] = [];
  const turn = new Quaternion();
  let before: Seen | null = null;
  for (let frame = 0; frame <= frames; frame += step) {
    const i = frame * curve.perFrame;
    const centre = new Vector3().fromArray(curve.positions, 3 * i);
    const seen = project(stage.orbit, centre);
    if (!seen || (before && Math.hypot(seen.x - before.x, seen.y - before.y) < CLOSE)) continue;
    before = seen;
    turn.fromArray(curve.orientations, 4 * i);
    for (let axis = 0; axis < AXES; axis++) {
      const way = new Vector3()
        .setComponent(axis, scales?.(frame, axis) ?? 1)
        .applyQuaternion(turn);
      arrows.push({ frame, axis, centre, way });
    }
  }
  return arrows;
}

/** Frames from one pair of arrows to the next, by the px between two frames. */
export function arrowStep(spacing: number): number {
  return STEPS.find((step) => step * spacing >= ROOM) ?? STEPS.at(-1)!;
}

function seenLength(stage: SceneView, { positions, perFrame }: MotionCurve): number {
  const place = new Vector3();
  let length = 0;
  let before: { x: number; y: number } | null = null;
  for (let i = 0; i < positions.length; i += 3 * perFrame) {
    const seen = project(stage.orbit, place.fromArray(positions, i));
    if (seen && before) length += Math.hypot(seen.x - before.x, seen.y - before.y);
    before = seen;
  }
  return length;
}

/** How a joint is scaled at a frame, in sizes at the first one; null for rigs without scale. */
function scalesOf({
  character,
  point,
}: MotionCurve): ((frame: number, axis: number) => number) | null {
  const rig = rigOf(point.character || character);
  const joint = rig?.joints.indexOf(point.joint) ?? -1;
  if (!rig || rig.stride !== 12 || joint < 0) return null;
  const size = (frame: number, axis: number) => {
    const placed = loadedPoseAt(rig, frame);
    if (!placed) return 1;
    return new Vector3().setFromMatrixColumn(jointMatrix(placed, joint), axis).length();
  };
  return (frame, axis) => size(frame, axis) / (size(0, axis) || 1);
}

/** The tip of an arrow of the acting point's curve that is nearest to a place. */
export function arrowAt(
  stage: SceneView,
  x: number,
  y: number,
  near: number,
): { pick: Pick; distance: number } | null {
  const point = points.peek().at(-1);
  const curve = point && curveOf(point);
  if (!curve) return null;
  let best: { pick: Pick; distance: number } | null = null;
  for (const { frame, axis, world, tip } of draggedArrows(stage, curve)) {
    const distance = Math.hypot(tip.x - x, tip.y - y);
    if (distance <= 0.7 * near && (!best || distance < best.distance))
      best = { pick: { kind: "arrow", point, frame, axis, world }, distance };
  }
  return best;
}

/** The arrows of a curve that can be dragged, with the places of their tips. */
export function draggedArrows(
  stage: SceneView,
  curve: MotionCurve,
): (FrameArrow & { world: Vector3; tip: Seen })[] {
  if (!activeTool().dragsArrows || !hasArrows(stage, curve)) return [];
  return arrowsOn(stage, curve).flatMap((arrow) => {
    const world = tipOf(stage, arrow.centre, arrow.way);
    const [tip, from] = [project(stage.orbit, world), project(stage.orbit, arrow.centre)];
    if (!tip || !from || Math.hypot(tip.x - from.x, tip.y - from.y) < SHORTEST) return [];
    return [{ ...arrow, world, tip }];
  });
}

function tipOf(stage: SceneView, centre: Vector3, way: Vector3): Vector3 {
  return centre.clone().addScaledVector(way, ARROW_PIXELS * stage.orbit.worldPerPixel(centre));
}
