// Picks what lies under the pointer, in screen space; the nearest in front wins.

import { pointConstraints } from "../state/pinsAndContacts";
import { Matrix4, Vector3, type Ray } from "three";
import { canDragHandle } from "../constraints/handles";
import { activityHere } from "../state/activities";
import { sceneInfo, documentState, type MotionCurve } from "../state/document";
import { frame, playing, points, rate, showMarkers } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import type { PointRef } from "../wire/messages";
import type { Actor } from "./actors";
import { constraintAt } from "./constraintPick";
import { areCrowded, nearestInFront, nearestOn, project, rayAt, type Seen } from "./projection";
import { touch } from "./skinHit";
import { gizmoAxis } from "./gizmo";
import { markerAt } from "./markers";
import { jointMatrix } from "./pose";
import { frameAlong, periodOf, samplesOf, wrapped } from "./loopCurve";
import { curveOf, reachOf, sampleAt } from "./motionCurve";
import { arrowAt } from "./orientationArrows";
import type { SceneView } from "./sceneView";
import type { Pick } from "./pick";
import { bonesOf } from "./skeleton";
import { handleAt } from "./toolOverlays";

export const FORGIVING = 10; // px
const BEHIND = 3; // px by which other things may be further than an arrow of the gizmo or a line
const RING = 7; // px from the middle of a selected point
const TICK = 6; // px from the middle of a frame's tick

/** `fine` is false for fingers, which need more room; `arrows` is false to look past the gizmo. */
export function pick(stage: SceneView, x: number, y: number, fine = true, arrows = true): Pick {
  const near = fine ? FORGIVING : 2 * FORGIVING;
  const handle = handleAt(stage, x, y, near);
  if (handle) return handle.pick;
  const body = bodyAt(stage, x, y);
  const depth = body ? (project(stage.orbit, body.world)?.depth ?? Infinity) : Infinity;
  const constraint = constraintAt(stage, x, y, near);
  const loose =
    constraint?.pick.kind === "constraint" &&
    canDragHandle(constraint.pick.info.constraint, constraint.pick.handle);
  const found = [
    playing.peek() && !activeTool().dragsCurves ? null : curveAt(stage, x, y, near, depth),
    showMarkers.peek() ? markerAt(stage, x, y, near) : null,
    loose ? constraint : null,
    arrowAt(stage, x, y, near),
    arrows && !playing.peek() ? gizmoAxis(stage, x, y, near) : null,
  ].filter((each) => each !== null);
  // what the pointer is on is meant rather than an arrow in front of it, or a line through it
  const behind = (each: (typeof found)[number]) =>
    each.pick.kind === "gizmo" || (each.pick.kind === "curve" && each.pick.frame !== frame.peek())
      ? each.distance + BEHIND
      : each.distance;
  const [nearest] = found.sort((a, b) => behind(a) - behind(b));
  return nearest?.pick ?? ringAt(stage, x, y) ?? body ?? constraint?.pick ?? { kind: "empty" };
}

/** A selected point behind the body: its ring is drawn over it, so it can be grabbed through it. */
function ringAt(stage: SceneView, x: number, y: number): Pick | null {
  for (const point of points.peek().toReversed()) {
    const curve = curveOf(point);
    const world = curve && sampleAt(curve, frame.peek());
    const seen = world && project(stage.orbit, world);
    if (world && seen && Math.hypot(seen.x - x, seen.y - y) <= RING)
      return { kind: "curve", point, frame: frame.peek(), world };
  }
  return null;
}

/** The nearest shown curve; one inside or before the body counts, one far behind it does not. */
function curveAt(
  stage: SceneView,
  x: number,
  y: number,
  near: number,
  depth: number,
): { pick: Pick; distance: number } | null {
  const slack = 0.12 * (sceneInfo.peek()?.scale ?? 1);
  let best: { pick: Pick; distance: number } | null = null;
  for (const point of activeTool().drawsAtRest ? [] : points.peek()) {
    const curve = curveOf(point);
    if (!curve) continue;
    const [now, reach] = [frame.peek(), reachOf(curve)];
    const period = periodOf(curve);
    const line = seenLine(stage, curve, period).map((seen, i) =>
      Math.abs(i / curve.perFrame - now) < reach ? seen : null,
    );
    const found = nearestInFront(line, x, y, depth + slack);
    if (!found || found.distance > near) continue;
    const at = wrapped(frameAlong(found.at, line.length - 1, curve.perFrame, period), period);
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
    // where a curve crosses itself or stands still, and at the shown point itself for a tool
    // that drags the body, the frame that is shown is meant
    const shown = project(stage.orbit, sampleAt(curve, now)!);
    const slip = activeTool().dragsCurves ? distance + 1.5 : near;
    const meant = shown && Math.hypot(shown.x - x, shown.y - y) <= slip;
    const tick = activeTool().dragsTicks ? tickNear(stage, curve, at, x, y, period) : null;
    const whole = tick ?? (meant ? now : (key?.frame ?? at));
    const onKey = key !== null && Math.abs(key.frame - whole) < 0.02;
    const world = sampleAt(curve, whole);
    const kind = onKey ? "key" : "curve";
    const onTick = tick === null ? {} : { tick: true as const };
    if (world) best = { pick: { kind, point, frame: whole, world, ...onTick }, distance };
  }
  return best;
}

/** The whole frame beside a place of a curve whose tick lies under the pointer; none among crowded ones. */
function tickNear(
  stage: SceneView,
  curve: MotionCurve,
  at: number,
  x: number,
  y: number,
  period: number,
): number | null {
  const whole = wrapped(Math.round(at), period);
  const seenAt = (each: number) => {
    const world = sampleAt(curve, wrapped(each, period));
    return world && project(stage.orbit, world);
  };
  const seen = seenAt(whole);
  if (!seen || Math.hypot(seen.x - x, seen.y - y) > TICK) return null;
  return areCrowded(seen, [seenAt(whole - 1), seenAt(whole + 1)], TICK) ? null : whole;
}

function keyNear(
  stage: SceneView,
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

/** Samples of a curve on the page; one that closes after `period` frames comes back to its first. */
export function seenLine(stage: SceneView, curve: MotionCurve, period = 0): (Seen | null)[] {
  const { positions, perFrame } = curve;
  const count = samplesOf(positions.length / 3, perFrame, period);
  const place = new Vector3();
  const line = Array.from({ length: count }, (_, i) =>
    project(stage.orbit, place.fromArray(positions, 3 * i)),
  );
  return period > 0 ? [...line, line[0] ?? null] : line;
}

type BodyPick = Extract<Pick, { kind: "body" }>;

export function bodyAt(stage: SceneView, x: number, y: number): BodyPick | null {
  const ray = rayAt(stage.orbit, x, y);
  let best: { pick: BodyPick; depth: number } | null = null;
  for (const actor of stage.actors.all) {
    if (!actor.placed || !canHold(actor)) continue;
    const found =
      actor.solid && actor.skinnedModel?.meshes[0]?.visible
        ? onSkin(stage, actor, x, y, touch(actor, ray, stage.drawn))
        : onBones(stage, actor, x, y);
    const depth = found ? (project(stage.orbit, found.world)?.depth ?? Infinity) : Infinity;
    if (found && (!best || depth < best.depth)) best = { pick: found, depth };
  }
  return best?.pick ?? null;
}

/** The first body on a ray of a device; of bare bones, the joint next to it. */
export function bodyOnRay(stage: SceneView, ray: Ray): BodyPick | null {
  let best: { pick: BodyPick; distance: number } | null = null;
  const take = (pick: BodyPick) => {
    const distance = pick.world.distanceTo(ray.origin);
    if (!best || distance < best.distance) best = { pick, distance };
  };
  for (const actor of stage.actors.all) {
    if (!actor.placed || !canHold(actor)) continue;
    const hit = actor.solid ? touch(actor, ray, stage.drawn) : null;
    const joint = hit ? hit.joint : jointNear(actor, ray);
    if (joint === null) continue;
    const found = onJoint(actor, joint);
    if (!hit) take(found);
    else {
      const offset = hit.place.clone().applyMatrix4(jointMatrix(actor.placed, joint).invert());
      take({ ...found, point: pointRefOf(actor, joint, offset), world: hit.place, joint: false });
    }
  }
  return (best as { pick: BodyPick } | null)?.pick ?? null;
}

function jointNear(actor: Actor, ray: Ray): number | null {
  const near = 0.1 * (sceneInfo.peek()?.scale ?? 1);
  const away = actor.rig.joints.map((_, j) =>
    ray.distanceToPoint(new Vector3().fromArray(actor.placed!, 16 * j + 12)),
  );
  const least = Math.min(...away);
  return least < near ? away.indexOf(least) : null;
}

/** Whoever plays something; what can be performed; and, to be moved with the motion, what is held by someone. */
function canHold({ rig }: Actor): boolean {
  if (documentState.peek()?.takes[rig.name]?.length || activeTool().performsBody) return true;
  if (activeTool().editsActivities && activityHere.peek()?.objects.some(isProp(rig.name)))
    return true;
  return (
    activeTool().dragsHeldProps === true &&
    rig.prop &&
    pointConstraints
      .peek()
      .some((pointConstraint) => pointConstraint.relative_to?.character === rig.name)
  );
}

const isProp = (name: string) => (each: { prop: string }) => each.prop === name;

function onSkin(
  stage: SceneView,
  actor: Actor,
  x: number,
  y: number,
  hit: ReturnType<typeof touch>,
): BodyPick | null {
  if (!hit || !actor.placed) return null;
  const joint = snapped(stage, actor, x, y, hit.place);
  if (joint !== null) return onJoint(actor, joint);
  const offset = hit.place.clone().applyMatrix4(jointMatrix(actor.placed, hit.joint).invert());
  return {
    kind: "body",
    point: pointRefOf(actor, hit.joint, offset),
    world: hit.place,
    joint: false,
  };
}

/** The joint whose own place is under the pointer and inside the skin that was hit. */
function snapped(
  stage: SceneView,
  actor: Actor,
  x: number,
  y: number,
  place: Vector3,
): number | null {
  const slack = 0.12 * (sceneInfo.peek()?.scale ?? 1);
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

/** Without a skin: the nearest bone, at the hit or at its joint. */
function onBones(stage: SceneView, actor: Actor, x: number, y: number): BodyPick | null {
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
  return { kind: "body", point: pointRefOf(actor, best.joint, offset), world, joint: false };
}

function onJoint(actor: Actor, joint: number): BodyPick {
  const world = new Vector3().fromArray(actor.placed!, 16 * joint + 12);
  return { kind: "body", point: pointRefOf(actor, joint, new Vector3()), world, joint: true };
}

function pointRefOf(actor: Actor, joint: number, offset: Vector3): PointRef {
  const exact = (each: number) => Math.round(each * 1e5) / 1e5;
  return {
    joint: actor.rig.joints[joint]!,
    offset: [exact(offset.x), exact(offset.y), exact(offset.z)],
    character: actor.rig.name,
  };
}
