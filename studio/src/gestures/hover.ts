// What will be hit is lit before the press, and named.

import { aimed, armed, playing, rate } from "../state/view";
import { held } from "../state/hands";
import { frameOf, pick, type Pick } from "../viewport/picking";
import { frameWords, spotWords } from "../viewport/say";
import type { Stage } from "../viewport/stage";
import { heldFrames } from "../tools/spacetime";
import { spanOf, titleOf, WORDS } from "../constraints/kinds";
import type { ConstraintInfo } from "../wire/messages";

export class Hover {
  private asked: { x: number; y: number } | null = null;
  private last: { x: number; y: number } | null = null; // where the pointer rests

  constructor(private readonly stage: Stage) {}

  /** Looks under the pointer, at most once for each picture. */
  soon(x: number, y: number, pointerType: string): void {
    if (pointerType === "touch") return;
    const waiting = this.asked !== null;
    this.asked = this.last = { x, y };
    if (waiting) return;
    requestAnimationFrame(() => {
      const at = this.asked;
      this.asked = null;
      if (at && !held.peek()) this.show(pick(this.stage, at.x, at.y), at.x, at.y);
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
    const { bounds, curves, marks, gizmo, label, canvas } = this.stage;
    bounds.hovered = found;
    const onCurve = found.kind === "curve" || found.kind === "key";
    curves.lit = onCurve ? { spot: found.spot, frame: found.frame } : null;
    marks.hovered = found.kind === "body" && playing.peek() ? null : found;
    gizmo.lit = found.kind === "gizmo" ? found.axis : null;
    canvas.style.cursor =
      found.kind === "empty"
        ? ""
        : onCurve || ["gizmo", "wish", "bound"].includes(found.kind)
          ? "grab"
          : "pointer";
    aimed.value = found.kind === "empty" || found.kind === "bound" ? null : framesHeld(found);
    const words = wordsFor(found);
    if (words) label.say(words, x, y);
    else label.hide();
    this.stage.changed();
  }

  leave(): void {
    this.asked = null;
    aimed.value = null;
    const { bounds, curves, marks, gizmo, label } = this.stage;
    bounds.hovered = null;
    curves.lit = null;
    marks.hovered = null;
    gizmo.lit = null;
    label.hide();
    this.stage.changed();
  }
}

const KINDS = { pin: "Pin", contact: "Contact", plant: "Footplant, found" } as const;

function framesOf({ start, end }: { start: number; end: number }): string {
  const [first, last] = [Math.round(start * rate.peek()), Math.round(end * rate.peek())];
  return first === last ? frameWords(first) : `frames ${first}–${last}`;
}

/** The frames at which a drag would take hold. */
function framesHeld(found: Pick): [number, number] {
  const at = frameOf(found);
  return found.kind === "wish" && found.wish.kind !== "pin" ? heldFrames(found.wish, at) : [at, at];
}

function boundWords({ constraint }: ConstraintInfo): string {
  const [start, end] = spanOf(constraint);
  return `${WORDS[constraint.kind]} · ${titleOf(constraint)} · ${framesOf({ start, end })}`;
}

function wordsFor(found: Pick): string {
  if (found.kind === "curve")
    return `${spotWords(found.spot)} · ${frameWords(Math.round(found.frame))}`;
  if (found.kind === "key") return `${spotWords(found.spot)} · key at ${frameWords(found.frame)}`;
  if (found.kind === "body") return spotWords(found.spot);
  if (found.kind === "wish")
    return `${KINDS[found.wish.kind]} · ${spotWords(found.spot)} · ${framesOf(found.wish)}`;
  if (found.kind === "bound") return boundWords(found.told);
  if (found.kind === "gizmo")
    return `${armed.peek() === "turn" ? "Around" : "Along"} ${"XYZ"[found.axis]!}`;
  return "";
}
