// The axes along which gizmo and X, Y, Z drag: of the world, of the joint, or of its parent.

import { Vector3 } from "three";
import { rigOf } from "../state/document";
import { kept } from "../state/view";
import type { PointRef } from "../wire/messages";
import { rotationAt } from "./shownPose";

export const AXES: readonly Vector3[] = [
  new Vector3(1, 0, 0),
  new Vector3(0, 1, 0),
  new Vector3(0, 0, 1),
];

export const SPACES = { world: "World", local: "Local", parent: "Parent" } as const;
export type Space = keyof typeof SPACES;

export const gizmoSpace = kept<Space>("gizmo_space", "world");

export function nextSpace(): void {
  const names = Object.keys(SPACES) as Space[];
  gizmoSpace.value = names[(names.indexOf(gizmoSpace.peek()) + 1) % names.length] ?? "world";
}

/** Three directions in the world, for a point at a frame. */
export function axesAt(point: PointRef, frame: number): readonly Vector3[] {
  const space = gizmoSpace.value;
  const rig = rigOf(point.character ?? "");
  if (space === "world" || !rig) return AXES;
  const above = rig.parents[rig.joints.indexOf(point.joint)] ?? -1;
  const joint = space === "local" ? point.joint : rig.joints[above];
  if (joint === undefined) return AXES;
  const turn = rotationAt({ ...point, joint, offset: [0, 0, 0] }, frame);
  return AXES.map((axis) => axis.clone().applyQuaternion(turn));
}
