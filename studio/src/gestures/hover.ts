// Highlights and labels what lies under the pointer.

import { aimed, armed, playing, rate } from "../state/view";
import { interaction } from "../state/interaction";
import { frameOf, type Pick } from "../viewport/pick";
import { pick } from "../viewport/picking";
import { sentence } from "../controls/text";
import { frameLabel, pointText } from "../controls/pointText";
import type { Stage } from "../viewport/stage";
import { activeTool } from "../tools/shared/registry";
import { kindLabel } from "../constraints/fields";
import { spanOf } from "../constraints/kinds";
import type { ConstraintInfo, HandleOverlay } from "../wire/messages";

export class Hover {
  private scheduled: { x: number; y: number } | null = null;
  private last: { x: number; y: number } | null = null; // where the pointer rests

  constructor(private readonly stage: Stage) {}

  /** Looks under the pointer, at most once for each picture. */
  soon(x: number, y: number, pointerType: string): void {
    if (pointerType === "touch") return;
    const waiting = this.scheduled !== null;
    this.scheduled = this.last = { x, y };
    if (waiting) return;
    requestAnimationFrame(() => {
      const at = this.scheduled;
      this.scheduled = null;
      const now = interaction.peek();
      if (at && (!now || now.open)) this.show(pick(this.stage, at.x, at.y), at.x, at.y);
    });
  }

  /** Looks again where the pointer rests: the picture moved under it. */
  again(): void {
    if (this.last) this.soon(this.last.x, this.last.y, "mouse");
  }

  /** The pointer went elsewhere. */
  out(): void {
    this.last = null;
    this.leave();
  }

  show(found: Pick, x: number, y: number): void {
    const { constraintShapes, curves, markers, gizmo, label, canvas, overlays } = this.stage;
    overlays.hovered = found.kind === "handle" ? found.name : null;
    constraintShapes.hovered = found;
    const onCurve = found.kind === "curve" || found.kind === "key";
    curves.lit = onCurve || found.kind === "arrow" ? found : null;
    markers.hovered = found.kind === "body" && playing.peek() ? null : found;
    gizmo.lit = found.kind === "gizmo" ? found.axis : null;
    canvas.style.cursor = cursorOver(found);
    aimed.value = aimsNowhere(found) ? null : framesHeld(found);
    const text = labelFor(found);
    if (text) label.show(text, x, y);
    else label.hide();
    this.stage.opening.covered = onCurve && text !== "";
    this.stage.changed();
  }

  leave(): void {
    this.scheduled = null;
    aimed.value = null;
    const { constraintShapes, curves, markers, gizmo, label, overlays } = this.stage;
    overlays.hovered = null;
    constraintShapes.hovered = null;
    curves.lit = null;
    markers.hovered = null;
    gizmo.lit = null;
    label.hide();
    this.stage.opening.covered = false;
    this.stage.changed();
  }
}

const DRAGGED = ["curve", "key", "arrow", "gizmo", "marker", "constraint", "handle"];

function cursorOver(found: Pick): string {
  const { gestures } = activeTool();
  if (armed.peek() === "draw") return "crosshair";
  const drags = gestures.includes("drag") || found.kind === "constraint";
  if (!drags && gestures.includes("stroke")) return "crosshair";
  if (found.kind === "empty") return "";
  return drags && DRAGGED.includes(found.kind) ? "grab" : "pointer";
}

function aimsNowhere(found: Pick): boolean {
  return ["empty", "constraint", "handle"].includes(found.kind);
}

const KINDS = { pin: "Pin", contact: "Contact", footplant: "Detected footplant" } as const;

function framesOf({ start, end }: { start: number; end: number }): string {
  const [first, last] = [Math.round(start * rate.peek()), Math.round(end * rate.peek())];
  return first === last ? frameLabel(first) : `frames ${first}–${last}`;
}

/** The frames that a drag would move. */
function framesHeld(found: Pick): [number, number] {
  const at = frameOf(found);
  const range = activeTool().editRange;
  return found.kind === "marker" && found.pointConstraint.kind !== "pin" && range
    ? range.draggedFrames(found.pointConstraint, at)
    : [at, at];
}

function constraintText({ constraint, title }: ConstraintInfo): string {
  const [start, end] = spanOf(constraint);
  return `${kindLabel(constraint.kind)} · ${title} · ${framesOf({ start, end })}`;
}

function handleText({ name, label, time }: HandleOverlay): string {
  const when = time === null ? "" : ` · ${frameLabel(Math.round(time * rate.peek()))}`;
  return sentence(label || name) + when;
}

function labelFor(found: Pick): string {
  if (armed.peek() === "draw") return "";
  if ("tick" in found && found.tick)
    return `${sentence(frameLabel(found.frame))}: drag along for time · drag away to move`;
  if (found.kind === "arrow")
    return `${sentence(frameLabel(found.frame))}: drag the arrow to rotate`;
  if (found.kind === "curve")
    return `${pointText(found.point)} · ${frameLabel(Math.round(found.frame))}`;
  if (found.kind === "key") return `${pointText(found.point)} · key at ${frameLabel(found.frame)}`;
  if (found.kind === "body") return pointText(found.point);
  if (found.kind === "marker")
    return `${KINDS[found.pointConstraint.kind]} · ${pointText(found.point)} · ${framesOf(found.pointConstraint)}`;
  if (found.kind === "constraint") return constraintText(found.info);
  if (found.kind === "handle") return handleText(found.info);
  if (found.kind === "gizmo")
    return `${armed.peek() === "turn" ? "Around" : "Along"} ${"XYZ"[found.axis]!}`;
  return "";
}
