// What can lie under the pointer.

import type { Vector3 } from "three";
import type { PointConstraint } from "../state/footplants";
import { frame } from "../state/view";
import type { ConstraintInfo, HandleOverlay, PointRef } from "../wire/messages";

export type Pick =
  | {
      kind: "curve" | "key";
      point: PointRef;
      frame: number;
      world: Vector3;
      tick?: true; // a frame's tick lies there, and can be dragged along the curve
    }
  | { kind: "arrow"; point: PointRef; frame: number; axis: number; world: Vector3 } // its tip
  | {
      kind: "marker";
      pointConstraint: PointConstraint;
      point: PointRef;
      frame: number;
      world: Vector3;
    }
  | { kind: "gizmo"; axis: number; point: PointRef; world: Vector3 }
  | { kind: "body"; point: PointRef; world: Vector3; joint: boolean }
  | { kind: "constraint"; info: ConstraintInfo; handle: string; world: Vector3 }
  | { kind: "handle"; name: string; world: Vector3; info: HandleOverlay } // of a tool's overlay
  | { kind: "empty" };

/** The frame a pick is about: its own on a curve or a footplant, else the shown one. */
export function frameOf(found: Pick): number {
  return "frame" in found ? found.frame : frame.peek();
}
