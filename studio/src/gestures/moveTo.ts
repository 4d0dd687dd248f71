// Puts a point somewhere at a frame from a number field, as one step.

import { beginInteraction, updateInteraction } from "../state/interaction";
import { toast } from "../state/receive";
import { rate, tool } from "../state/view";
import { refusalOf } from "../tools/shared/registry";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { releaseInteraction } from "./release";

export function moveTo(point: PointRef, frame: number, to: [number, number, number]): void {
  if (!mayEdit()) return;
  const refusal = refusalOf(tool.peek(), point, frame);
  if (refusal) return toast(refusal.text, "info");
  beginInteraction(tool.peek(), point, frame / rate.peek());
  updateInteraction({ position: to });
  releaseInteraction();
}
