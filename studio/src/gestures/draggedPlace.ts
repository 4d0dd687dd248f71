// Where the pointer drags something to: in the plane of the screen, over the ground or along an axis.

import { Vector3 } from "three";
import { AXES } from "../viewport/gizmoAxes";
import { clipped, rayAt } from "../viewport/projection";
import type { Stage } from "../viewport/stage";
import { AXIS_COLOURS } from "../viewport/theme";
import { alongAxis, inScreenPlane, overGround, type Aim } from "./aim";

export function draggedPlace(
  { orbit }: Stage,
  aim: Aim,
  start: Vector3,
  axis: number | null,
  ground = false,
  axes = AXES,
): Vector3 {
  const pressed = rayAt(orbit, aim.startX, aim.startY);
  const now = rayAt(orbit, aim.x, aim.y);
  if (axis !== null) return alongAxis(start, axes[axis]!, pressed, now);
  const back = new Vector3().setFromMatrixColumn(orbit.camera.matrixWorld, 2);
  return (ground ? overGround : inScreenPlane)(start, back, pressed, now);
}

/** The line of a locked axis; null for none. */
export function showAxis(
  { orbit, dragLines }: Stage,
  start: Vector3,
  axis: number | null,
  axes = AXES,
): void {
  if (axis === null) return dragLines.showAxis(null, "");
  const far = 40 * orbit.scale;
  const end = (way: number) => start.clone().addScaledVector(axes[axis]!, way * far);
  dragLines.showAxis(clipped(orbit, end(-1), end(1)), AXIS_COLOURS[axis]!);
}
