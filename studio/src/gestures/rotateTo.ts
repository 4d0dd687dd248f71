// Sets the orientation of a joint at a frame from a number field, as one step.

import { beginInteraction, commitInteraction, updateInteraction } from "../state/interaction";
import { toast } from "../state/receive";
import { rate, tool } from "../state/view";
import { refusalOf } from "../tools/shared/registry";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";
import type { Quaternion } from "three";

export function rotateTo(point: PointRef, frame: number, to: Quaternion): void {
  if (!mayEdit()) return;
  const refusal = refusalOf(tool.peek(), point, frame);
  if (refusal) return toast(refusal.text, "info");
  beginInteraction(tool.peek(), point, frame / rate.peek());
  updateInteraction({ orientation: [to.w, to.x, to.y, to.z] });
  commitInteraction();
}
