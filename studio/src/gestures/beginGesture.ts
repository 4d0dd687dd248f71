// Which gesture a press begins, by what lies under the pointer and what the active tool understands.

import { pointerDevice } from "../devices/registry";
import { armed } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import { activeGesture } from "../viewport/activeGesture";
import type { Pick } from "../viewport/pick";
import type { Stage } from "../viewport/stage";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { beginDrag } from "./beginDrag";
import { HandleDrag } from "./handleDrag";
import { Performance } from "./performance";
import { performedPoint } from "./performedItem";
import { startRecording } from "./recorder";
import { samplesOf } from "./samples";
import { Stroke } from "./stroke";

/** At the press: a stroke or a performance, where the tool understands it and nothing can be dragged. */
export function beginAtPress(stage: Stage, event: PointerEvent, found: Pick): void {
  const { name, gestures, performsBody } = activeTool();
  if (performsBody && found.kind === "body") return performBody(stage, event, found.point);
  const drags = gestures.includes("drag") && (found.kind !== "empty" || armed.peek() !== null);
  const sampled = gestures.includes("stroke") || gestures.includes("performance");
  if (!sampled || drags || found.kind === "constraint" || !mayEdit()) return;
  const point = "point" in found ? found.point : null;
  const device = event.pointerType;
  const first = samplesOf(event, stage.canvas.getBoundingClientRect())[0]!;
  stage.opening.dragged(name);
  if (gestures.includes("stroke")) new Stroke(stage, name, point, first, device === "pen");
  else new Performance(stage, name, point, first, device, worldOf(stage, found));
}

/** The pressed point follows the pointer until the release, while the take plays. */
function performBody(stage: Stage, event: PointerEvent, point: PointRef): void {
  startRecording(stage, { device: pointerDevice, item: performedPoint(point), beats: 0 });
  activeGesture.peek()?.to(samplesOf(event, stage.canvas.getBoundingClientRect()), false);
}

function worldOf(stage: Stage, found: Pick) {
  return "world" in found ? found.world : stage.orbit.target;
}

/** Once a press has moved: a drag; false where nothing can be dragged. */
export function beginWhenMoved(
  stage: Stage,
  at: { x: number; y: number },
  found: Pick,
  add: boolean,
): boolean {
  if (found.kind !== "handle") return beginDrag(stage, at, found, add);
  new HandleDrag(stage, found, at);
  return true;
}
