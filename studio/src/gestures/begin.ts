// A press that became a drag: of which point, at which frame, with which tool.

import { story } from "../state/document";
import { armed, frame, lastFrame, playing, points, rate, snap, tool } from "../state/view";
import type { Refusal } from "../tools/refusal";
import { isKeyPose } from "../tools/tangent";
import { bringsPlant, framesFor } from "../tools/spacetime";
import { refusalOf } from "../tools/tools";
import type { Pick } from "../viewport/picking";
import type { Stage } from "../viewport/stage";
import type { Wish } from "../state/plants";
import type { PointRef } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { say } from "../wire/socket";
import { canPull } from "../constraints/grips";
import type { Brought } from "../state/hands";
import { BoundDrag } from "./boundDrag";
import { Drag, type Grip } from "./drag";
import { lead, select } from "./select";

interface At {
  x: number;
  y: number;
}

/** Takes hold of what was found; false where there is nothing to hold. */
export function begin(stage: Stage, at: At, found: Pick, add: boolean): boolean {
  const verb = armed.peek();
  const acting = points.peek().at(-1);
  armed.value = null;
  if (found.kind !== "empty" && !mayEdit()) return false;
  if (found.kind === "bound") return beginBound(stage, at, found);
  const onCurve = found.kind === "curve" || found.kind === "key";
  if (onCurve)
    hold(stage, at, {
      spot: found.spot,
      frame: found.frame,
      verb: verb ?? "move",
      place: found.world,
    });
  else if (found.kind === "gizmo")
    hold(stage, at, {
      spot: found.spot,
      frame: frame.peek(),
      verb: verb ?? "move",
      axis: found.axis,
      place: found.world,
    });
  else if (verb && acting) hold(stage, at, { spot: acting, frame: frame.peek(), verb });
  else if (found.kind === "empty") return false;
  else {
    if (!points.peek().includes(found.spot)) select(found.spot, add);
    const when = found.kind === "wish" ? withinWish(found.wish, found.frame) : frame.peek();
    const brought = found.kind === "wish" ? broughtBy(found.wish, when) : {};
    hold(stage, at, {
      spot: found.spot,
      frame: when,
      verb: "move",
      place: found.world,
      ground: onGround(found),
      brought,
    });
  }
  return true;
}

/** A plant is moved as a whole; one that is only found is kept. */
function broughtBy(wish: Wish, when: number): Brought {
  if (tool.peek() !== "spacetime" || wish.kind === "pin") return {};
  const frames = framesFor(wish, when);
  return { found: wish.kind === "plant", ...(frames ? { frames } : {}) };
}

function beginBound(stage: Stage, at: At, found: Extract<Pick, { kind: "bound" }>): boolean {
  if (!canPull(found.told.constraint, found.grip)) return false;
  new BoundDrag(stage, found.told, found.grip, found.world, at.x, at.y);
  return true;
}

/** Plants, feet that bring theirs, and things that nobody moves, stay on the ground unless an axis is chosen. */
function onGround(found: Pick): boolean {
  if (tool.peek() !== "spacetime") return false;
  if (found.kind === "wish") return found.wish.kind !== "pin" && !found.wish.relative_to;
  if (found.kind !== "body") return false;
  return (
    story.peek()?.takes[found.spot.character ?? ""]?.length === 0 ||
    bringsPlant(found.spot, frame.peek())
  );
}

function hold(stage: Stage, at: At, wanted: Omit<Grip, "tool">): void {
  const { spot, verb } = wanted;
  const name = verb === "time" ? "tangent" : tool.peek();
  const whole = name === "tangent" ? besideKey(spot, wanted.frame) : wholeFrame(wanted.frame);
  const refusal = refusalOf(name, spot, whole);
  if (refusal) return refuse(stage, refusal, whole, at);
  lead(spot);
  stage.opening.dragged(name);
  new Drag(stage, { ...wanted, frame: whole, tool: name }, at.x, at.y);
}

/** A whole frame at which a pin or contact holds, the nearest to one. */
function withinWish(wish: Wish, when: number): number {
  const first = Math.ceil(wish.start * rate.peek() - 1e-3);
  const last = Math.floor(wish.end * rate.peek() + 1e-3);
  const holds = when >= first - 1 && when <= last + 1;
  return holds ? Math.min(Math.max(Math.round(when), first), Math.max(last, first)) : when;
}

function refuse(stage: Stage, refusal: Refusal, when: number, { x, y }: At): void {
  const does = () => {
    if (refusal.change) say({ type: "ApplyChange", change: refusal.change });
    refusal.does?.();
    if (!refusal.tool) return;
    tool.value = refusal.tool;
    playing.value = false;
    frame.value = when;
  };
  stage.hint.offer(refusal.text, refusal.press, does, x, y);
}

function wholeFrame(at: number): number {
  const near = snap.peek() ? Math.round(at) : at;
  return Math.min(Math.max(near, 0), lastFrame.peek());
}

/** The whole frame at a place of a curve; beside a key pose the next one on the same side. */
function besideKey(spot: PointRef, at: number): number {
  const near = wholeFrame(at);
  const beside = Math.abs(at - near) >= 0.1 && isKeyPose(spot, near);
  return beside ? wholeFrame(near + Math.sign(at - near)) : near;
}
