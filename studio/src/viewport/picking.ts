// What lies under the pointer: in the picture, forgiving, the nearest in front wins.

import { Matrix4, Vector3 } from "three";
import { canPull } from "../constraints/grips";
import { cast, story } from "../state/document";
import { frame, playing, points, rate, showMarks, tool } from "../state/view";
import type { Wish } from "../state/plants";
import type { ConstraintInfo, PointRef } from "../wire/messages";
import type { Actor } from "./actors";
import { boundAt } from "./boundPick";
import { nearestOn, project, rayAt, type Seen } from "./eye";
import { touch } from "./flesh";
import { gizmoAxis } from "./gizmo";
import { markAt } from "./marks";
import { jointMatrix } from "./pose";
import { curveOf, reachOf, sampleAt } from "./samples";
import type { Stage } from "./stage";
import { bonesOf } from "./sticks";

export const FORGIVING = 10; // px

export type Pick =
  | { kind: "curve" | "key"; spot: PointRef; frame: number; world: Vector3 }
  | { kind: "wish"; wish: Wish; spot: PointRef; frame: number; world: Vector3 }
  | { kind: "gizmo"; axis: number; spot: PointRef; world: Vector3 }
  | { kind: "body"; spot: PointRef; world: Vector3; joint: boolean }
  | { kind: "bound"; told: ConstraintInfo; grip: string; world: Vector3 }
  | { kind: "empty" };

/** `fine` is false for fingers, which need more room; `arrows` is false to look past the gizmo. */
export function pick(stage: Stage, x: number, y: number, fine = true, arrows = true): Pick {
  const near = fine ? FORGIVING : 2 * FORGIVING;
  const body = bodyAt(stage, x, y);
  const depth = body ? (project(stage.orbit, body.world)?.depth ?? Infinity) : Infinity;
  const bound = boundAt(stage, x, y, near);
  const loose =
    bound?.pick.kind === "bound" && canPull(bound.pick.told.constraint, bound.pick.grip);
  const found = [
    curveAt(stage, x, y, near, depth),
    showMarks.peek() ? markAt(stage, x, y, near) : null,
    loose ? bound : null,
    arrows && !playing.peek() ? gizmoAxis(stage, x, y, near) : null,
  ].filter((each) => each !== null);
  const [nearest] = found.sort((a, b) => a.distance - b.distance);
  return nearest?.pick ?? body ?? bound?.pick ?? { kind: "empty" };
}

/** The nearest shown curve; one inside or before the body counts, one far behind it does not. */
function curveAt(
  stage: Stage,
  x: number,
  y: number,
  near: number,
  depth: number,
): { pick: Pick; distance: number } | null {
  const slack = 0.12 * (cast.peek()?.scale ?? 1);
  let best: { pick: Pick; distance: number } | null = null;
  for (const spot of points.peek()) {
    const curve = curveOf(spot);
    if (!curve) continue;
    const [now, reach] = [frame.peek(), reachOf(curve)];
    const line = seenLine(stage, curve.positions).map((seen, i) =>
      Math.abs(i / curve.perFrame - now) < reach ? seen : null,
    );
    const found = nearestOn(line, x, y);
    if (!found || found.distance > near || found.depth > depth + slack) continue;
    const at = found.at / curve.perFrame;
    const key = keyNear(
      stage,
      curve.keys.map((time) => time * rate.peek()),
      (f) => sampleAt(curve, f),
      x,
      y,
      near,
    );
    const distance = key ? key.distance : found.distance;
    if (best && distance >= best.distance) continue;
    // where a curve crosses itself or stands still, the frame that is shown is meant
    const shown = project(stage.orbit, sampleAt(curve, now)!);
    const meant = shown && Math.hypot(shown.x - x, shown.y - y) <= distance + 1.5;
    const whole = meant ? now : (key?.frame ?? at);
    const onKey = key !== null && Math.abs(key.frame - whole) < 0.02;
    const world = sampleAt(curve, whole);
    if (world)
      best = { pick: { kind: onKey ? "key" : "curve", spot, frame: whole, world }, distance };
  }
  return best;
}

function keyNear(
  stage: Stage,
  frames: readonly number[],
  place: (frame: number) => Vector3 | null,
  x: number,
  y: number,
  near: number,
): { frame: number; distance: number } | null {
  let best: { frame: number; distance: number } | null = null;
  for (const each of frames) {
    const world = place(each);
    const seen = world && project(stage.orbit, world);
    const distance = seen ? Math.hypot(seen.x - x, seen.y - y) : Infinity;
    if (distance < 0.6 * near && (!best || distance < best.distance))
      best = { frame: each, distance };
  }
  return best;
}

export function seenLine(stage: Stage, positions: Float32Array): (Seen | null)[] {
  const place = new Vector3();
  const line: (Seen | null)[] = [];
  for (let i = 0; i < positions.length; i += 3)
    line.push(project(stage.orbit, place.fromArray(positions, i)));
  return line;
}

type BodyPick = Extract<Pick, { kind: "body" }>;

export function bodyAt(stage: Stage, x: number, y: number): BodyPick | null {
  const ray = rayAt(stage.orbit, x, y);
  let best: { pick: BodyPick; depth: number } | null = null;
  for (const actor of stage.actors.all) {
    if (!actor.placed || !canHold(actor)) continue;
    const found =
      actor.solid && actor.puppet?.meshes[0]?.visible
        ? onFlesh(stage, actor, x, y, touch(actor, ray, stage.drawn))
        : onSticks(stage, actor, x, y);
    const depth = found ? (project(stage.orbit, found.world)?.depth ?? Infinity) : Infinity;
    if (found && (!best || depth < best.depth)) best = { pick: found, depth };
  }
  return best?.pick ?? null;
}

/** Whoever plays something; and, to be moved with the motion, what is held by someone. */
function canHold({ rig }: Actor): boolean {
  if (story.peek()?.takes[rig.name]?.length) return true;
  return (
    tool.peek() === "spacetime" &&
    rig.prop &&
    (story.peek()?.point_constraints ?? []).some((wish) => wish.relative_to?.character === rig.name)
  );
}

function onFlesh(
  stage: Stage,
  actor: Actor,
  x: number,
  y: number,
  hit: ReturnType<typeof touch>,
): BodyPick | null {
  if (!hit || !actor.placed) return null;
  const joint = snapped(stage, actor, x, y, hit.place);
  if (joint !== null) return onJoint(actor, joint);
  const offset = hit.place.clone().applyMatrix4(jointMatrix(actor.placed, hit.joint).invert());
  return { kind: "body", spot: spotOf(actor, hit.joint, offset), world: hit.place, joint: false };
}

/** The joint whose own place is under the pointer and inside the flesh that was met. */
function snapped(stage: Stage, actor: Actor, x: number, y: number, place: Vector3): number | null {
  const slack = 0.12 * (cast.peek()?.scale ?? 1);
  const here = project(stage.orbit, place);
  const at = new Vector3();
  let best: { joint: number; distance: number } | null = null;
  actor.rig.joints.forEach((_, j) => {
    const seen = project(stage.orbit, at.fromArray(actor.placed!, 16 * j + 12));
    if (!seen || !here || Math.abs(seen.depth - here.depth) > slack) return;
    const distance = Math.hypot(seen.x - x, seen.y - y);
    if (distance < FORGIVING && (!best || distance < best.distance)) best = { joint: j, distance };
  });
  return (best as { joint: number } | null)?.joint ?? null;
}

/** Bones without flesh: the nearest bone, held where it is met or at its joint. */
function onSticks(stage: Stage, actor: Actor, x: number, y: number): BodyPick | null {
  const place = (joint: number) => new Vector3().fromArray(actor.placed!, 16 * joint + 12);
  const joints = actor.rig.joints.map((_, j) => project(stage.orbit, place(j)));
  let best: { joint: number; share: number; child: number; depth: number } | null = null;
  for (const [parent, child] of bonesOf(actor.rig)) {
    const found = nearestOn([joints[parent] ?? null, joints[child] ?? null], x, y);
    if (!found || found.distance > FORGIVING) continue;
    if (!best || found.depth < best.depth - 1e-6)
      best = { joint: parent, child, share: found.at, depth: found.depth };
  }
  const atJoint = joints.findIndex(
    (seen) => seen && Math.hypot(seen.x - x, seen.y - y) < 0.8 * FORGIVING,
  );
  if (atJoint >= 0) return onJoint(actor, atJoint);
  if (!best) return null;
  const world = place(best.joint).lerp(place(best.child), best.share);
  const offset = world
    .clone()
    .applyMatrix4(jointMatrix(actor.placed!, best.joint, new Matrix4()).invert());
  return { kind: "body", spot: spotOf(actor, best.joint, offset), world, joint: false };
}

function onJoint(actor: Actor, joint: number): BodyPick {
  const world = new Vector3().fromArray(actor.placed!, 16 * joint + 12);
  return { kind: "body", spot: spotOf(actor, joint, new Vector3()), world, joint: true };
}

function spotOf(actor: Actor, joint: number, offset: Vector3): PointRef {
  const exact = (each: number) => Math.round(each * 1e5) / 1e5;
  return {
    joint: actor.rig.joints[joint]!,
    offset: [exact(offset.x), exact(offset.y), exact(offset.z)],
    character: actor.rig.name,
  };
}

/** The frame a pick is about: its own on a curve or a plant, else the one shown. */
export function frameOf(found: Pick): number {
  return "frame" in found ? found.frame : frame.peek();
}
