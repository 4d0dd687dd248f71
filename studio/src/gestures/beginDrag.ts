// Begins a drag: which point, at which frame, with which tool.

import { activityHere, elementAt, eventNear, handleName, rateOf } from "../state/activities";
import { documentState } from "../state/document";
import { armed, frame, lastFrame, playing, points, rate, snap, tool } from "../state/view";
import type { Refusal } from "../tools/shared/refusal";
import { activeTool, refusalOf, toolFor } from "../tools/shared/registry";
import type { Pick } from "../viewport/pick";
import type { Stage } from "../viewport/stage";
import { draggableHandles } from "../viewport/toolOverlays";
import type { PointConstraint } from "../state/footplants";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { send } from "../wire/socket";
import { canDragHandle } from "../constraints/handles";
import type { DragContext } from "../state/interaction";
import { ConstraintDrag } from "./constraintDrag";
import { Drag, type DragStart } from "./drag";
import { lead, select } from "./select";

interface At {
  x: number;
  y: number;
}

/** Begins a drag of what was picked; false where nothing can be dragged. */
export function beginDrag(
  stage: Stage,
  at: At,
  found: Exclude<Pick, { kind: "handle" | "arrow" }>,
  add: boolean,
): boolean {
  const verb = armed.peek();
  const acting = points.peek().at(-1);
  armed.value = null;
  if (found.kind !== "empty" && !mayEdit()) return false;
  if (found.kind === "constraint") return beginConstraintDrag(stage, at, found);
  if (!activeTool().gestures.includes("drag")) return false;
  const onCurve = found.kind === "curve" || found.kind === "key";
  if (onCurve)
    hold(stage, at, {
      point: found.point,
      frame: found.frame,
      verb: verb ?? "move",
      place: found.world,
    });
  else if (found.kind === "gizmo")
    hold(stage, at, {
      point: found.point,
      frame: frame.peek(),
      verb: verb ?? "move",
      axis: found.axis,
      place: found.world,
    });
  else if (verb && acting) hold(stage, at, { point: acting, frame: frame.peek(), verb });
  else if (found.kind === "empty") return false;
  else {
    if (!points.peek().includes(found.point)) select(found.point, add);
    const when =
      found.kind === "marker" ? withinConstraint(found.pointConstraint, found.frame) : frame.peek();
    const context = found.kind === "marker" ? contextOf(found.pointConstraint, when) : {};
    hold(stage, at, {
      point: found.point,
      frame: when,
      verb: "move",
      place: found.world,
      ground: onGround(found),
      context,
    });
  }
  return true;
}

/** A footplant is moved as a whole; a detected one becomes a contact. */
function contextOf(pointConstraint: PointConstraint, when: number): DragContext {
  if (!activeTool().overlays.footplants || pointConstraint.kind === "pin") return {};
  const frames = activeTool().editRange?.framesFor(pointConstraint, when);
  return { found: pointConstraint.kind === "footplant", ...(frames ? { frames } : {}) };
}

function beginConstraintDrag(
  stage: Stage,
  at: At,
  found: Extract<Pick, { kind: "constraint" }>,
): boolean {
  if (!canDragHandle(found.info.constraint, found.handle)) return false;
  new ConstraintDrag(stage, found.info, found.handle, found.world, at.x, at.y);
  return true;
}

/** Footplants, feet that move theirs, and props without a take stay on the ground unless an axis is locked. */
function onGround(found: Pick): boolean {
  if (activeTool().editsActivities && found.kind === "body") return restsOnGround(found);
  if (!activeTool().overlays.footplants) return false;
  if (found.kind === "marker")
    return found.pointConstraint.kind !== "pin" && !found.pointConstraint.relative_to;
  if (found.kind !== "body") return false;
  return (
    documentState.peek()?.takes[found.point.character ?? ""]?.length === 0 ||
    (activeTool().bringsFootplant?.(found.point, frame.peek()) ?? false)
  );
}

/** Whether the handle of what is held moves over the ground at its event. */
function restsOnGround({ point }: Extract<Pick, { kind: "body" }>): boolean {
  const here = activityHere.peek();
  const element = here && elementAt(here, point);
  if (!here || !element) return false;
  const fps = rateOf(here);
  const event = here.events[eventNear(here, element, frame.peek() / fps)];
  if (!event) return false;
  const name = handleName(element, event.time, fps);
  return draggableHandles().some((each) => each.name === name && each.grounded);
}

function hold(stage: Stage, at: At, wanted: Omit<DragStart, "tool">): void {
  const { point, verb } = wanted;
  const { name, frameAt } = toolFor(verb);
  const nearest = wholeFrame(wanted.frame);
  const whole = frameAt ? inTake(frameAt(point, wanted.frame, nearest)) : nearest;
  if (refusedAt(stage, at, name, point, whole)) return;
  lead(point);
  stage.opening.dragged(name);
  new Drag(stage, { ...wanted, frame: whole, tool: name }, at.x, at.y);
}

/** A whole frame at which a pin or contact holds, the nearest to one. */
function withinConstraint(pointConstraint: PointConstraint, when: number): number {
  const first = Math.ceil(pointConstraint.start * rate.peek() - 1e-3);
  const last = Math.floor(pointConstraint.end * rate.peek() + 1e-3);
  const holds = when >= first - 1 && when <= last + 1;
  return holds ? Math.min(Math.max(Math.round(when), first), Math.max(last, first)) : when;
}

/** Whether nothing can be dragged there; then the reason is shown. */
export function refusedAt(
  stage: Stage,
  at: At,
  tool: string,
  point: PointRef,
  when: number,
): boolean {
  const refusal = refusalOf(tool, point, when);
  if (refusal) refuse(stage, refusal, when, at);
  return refusal !== null;
}

function refuse(stage: Stage, refusal: Refusal, when: number, { x, y }: At): void {
  const does = () => {
    if (refusal.change) send({ type: "ApplyChange", change: refusal.change });
    refusal.does?.();
    if (!refusal.tool) return;
    tool.value = refusal.tool;
    playing.value = false;
    frame.value = when;
  };
  stage.hint.offer(refusal.text, refusal.press, does, x, y);
}

function wholeFrame(at: number): number {
  return inTake(snap.peek() ? Math.round(at) : at);
}

function inTake(at: number): number {
  return Math.min(Math.max(at, 0), lastFrame.peek());
}
