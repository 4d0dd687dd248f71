// Which gesture a press begins, by what lies under the pointer and what the active tool understands.

import { pointerDevice } from "../devices/registry";
import { showActor } from "../state/shownTakes";
import { armed, playing, snap } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import type { StudioTool } from "../tools/shared/tool";
import { activeGesture } from "../viewport/activeGesture";
import { goesAlong, indexAt, periodOf } from "../viewport/loopCurve";
import { curveOf } from "../viewport/motionCurve";
import type { Pick } from "../viewport/pick";
import { seenLine } from "../viewport/picking";
import type { Stage } from "../viewport/stage";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { PhaseDrag, TickDrag } from "./alongCurve";
import { ArrowDrag, scalesArrow } from "./arrowDrag";
import { beginDrag, refusedAt } from "./beginDrag";
import { BoxSelect } from "./boxSelect";
import { HandleDrag } from "./handleDrag";
import { Performance } from "./performance";
import { performedPoint } from "./performedItem";
import { startRecording } from "./recorder";
import { samplesOf } from "./samples";
import { lead } from "./select";
import { Stroke } from "./stroke";

/** A press that has begun to move. */
export interface Moved {
  x: number; // px, of the press
  y: number;
  nowX: number;
  nowY: number;
  add: boolean; // Shift
  slide: boolean; // Ctrl
}

type OnCurve = Extract<Pick, { kind: "curve" | "key" }>;
type OnArrow = Extract<Pick, { kind: "arrow" }>;

/** At the press: a stroke or a performance, where the tool understands it and nothing can be dragged. */
export function beginAtPress(stage: Stage, event: PointerEvent, found: Pick): void {
  if (armed.peek() === "box") return;
  const { name, gestures, performsPlayingBody, performsBody, strokeMode, drawsFirst } =
    activeTool();
  const acts = performsPlayingBody && playing.peek() && armed.peek() === null;
  if (acts && found.kind === "body") return performBody(stage, event, found.point);
  const draws = gestures.includes("stroke") && (!strokeMode || armed.peek() === "draw");
  const isDragged = drawsFirst ? found.kind === "handle" : found.kind !== "empty";
  const drags = gestures.includes("drag") && (isDragged || armed.peek() !== null);
  const performs = gestures.includes("performance") && !gestures.includes("drag");
  if (!(draws || performs)) return;
  if (performsBody && !("point" in found)) return; // nothing is held there
  if (armed.peek() !== "draw" && (drags || (found.kind === "constraint" && !drawsFirst))) return;
  if (!mayEdit()) return;
  const point = "point" in found && !strokeMode && !drawsFirst ? found.point : null;
  if (performsBody && point?.character) showActor(point.character); // its own take is performed
  const device = event.pointerType;
  const first = samplesOf(event, stage.canvas.getBoundingClientRect())[0]!;
  stage.opening.dragged(name);
  if (draws) new Stroke(stage, name, point, first, device === "pen");
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

/** How far a press must move before it is a drag, px: further where its direction counts. */
export function startOf(found: Pick): number {
  return directs(found) ? 6 : 3;
}

function directs(found: Pick): boolean {
  if (armed.peek() !== null) return false;
  return found.kind === "arrow" || ("tick" in found && found.tick === true);
}

/** Once a press has moved: a drag; false where nothing can be dragged. */
export function beginWhenMoved(stage: Stage, at: Moved, found: Pick): boolean {
  if (armed.peek() === "box") {
    armed.value = null;
    stage.hint.hide();
    new BoxSelect(stage, at, at.add);
    return true;
  }
  const tool = activeTool();
  if (found.kind === "handle") {
    if (!mayEdit()) return false;
    if (armed.peek() !== null) return beginDrag(stage, at, { kind: "empty" }, false);
    stage.opening.dragged(tool.name);
    new HandleDrag(stage, found, at, tool.name);
    return true;
  }
  const onCurve = found.kind === "curve" || found.kind === "key";
  if (armed.peek() === null && mayEdit()) {
    if (found.kind === "arrow") return beginArrow(stage, tool, at, found);
    if (onCurve && at.slide && tool.phase) return beginPhase(stage, tool, at, found);
    if (onCurve && found.tick && isAlong(stage, at, found))
      return beginTick(stage, tool, at, found);
  }
  return found.kind === "arrow" ? false : beginDrag(stage, at, found, at.add);
}

/** Whether a press on a tick went along the curve: then it means time. */
function isAlong(stage: Stage, at: Moved, { point, frame }: OnCurve): boolean {
  const curve = curveOf(point);
  if (!curve) return false;
  const period = periodOf(curve);
  const line = seenLine(stage, curve, period);
  const index = indexAt(frame, line.length - 1, curve.perFrame, period);
  return goesAlong(line, index, at.nowX - at.x, at.nowY - at.y, period > 0);
}

function beginTick(stage: Stage, { name }: StudioTool, at: Moved, { point, frame }: OnCurve) {
  if (refusedAt(stage, at, name, point, frame)) return true;
  lead(point);
  stage.opening.dragged(name);
  new TickDrag(stage, { tool: name, point, frame }, at);
  return true;
}

function beginPhase(stage: Stage, { name }: StudioTool, at: Moved, { point, frame }: OnCurve) {
  const whole = snap.peek() ? Math.round(frame) : frame;
  if (refusedAt(stage, at, name, point, whole)) return true;
  lead(point);
  stage.opening.dragged(name);
  new PhaseDrag(stage, { tool: name, point, frame: whole }, at);
  return true;
}

function beginArrow(stage: Stage, { name }: StudioTool, at: Moved, found: OnArrow): boolean {
  if (refusedAt(stage, at, name, found.point, found.frame)) return true;
  stage.opening.dragged(name);
  const scales = scalesArrow(stage, found, at.nowX - at.x, at.nowY - at.y);
  new ArrowDrag(stage, name, found, at, scales);
  return true;
}
