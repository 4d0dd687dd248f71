// Number fields: a joint gets an orientation at a frame, as one step.

import { grab, letGo, move } from "../state/hands";
import { toast } from "../state/hear";
import { rate, tool } from "../state/view";
import { refusalOf } from "../tools/tools";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";
import type { Quaternion } from "three";

export function rotateTo(spot: PointRef, frame: number, to: Quaternion): void {
  if (!mayEdit()) return;
  const refusal = refusalOf(tool.peek(), spot, frame);
  if (refusal) return toast(refusal.text, "said");
  grab(tool.peek(), spot, frame / rate.peek());
  move({ orientation: [to.w, to.x, to.y, to.z] });
  letGo();
}
