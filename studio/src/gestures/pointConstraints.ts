// Adds and toggles pins and contacts: over the segment, at a frame, over the playback range.

import {
  pointConstraints,
  type PointConstraintInfo,
  type PointConstraintKind,
} from "../state/pinsAndContacts";
import { pointKey } from "../state/document";
import { character, frame, lastFrame, playRange, points, rate, take } from "../state/view";
import { curveOf, segmentAround } from "../viewport/motionCurve";
import type { Change, PointRef } from "../wire/messages";
import { send } from "../wire/socket";

export type Stretch = "segment" | "frame" | "range";

/** In frames: what a new pin or contact covers. */
export function stretchOf(point: PointRef, at: number, over: Stretch): [number, number] {
  if (over === "range") return [...playRange.peek()];
  const whole = Math.min(Math.max(Math.round(at), 0), lastFrame.peek());
  if (over === "frame") return [whole, whole];
  const curve = curveOf(point, false);
  return curve ? segmentAround(curve, at, rate.peek()) : [0, lastFrame.peek()];
}

export function addPointConstraint(
  kind: PointConstraintKind,
  point: PointRef,
  over: readonly [number, number],
  relativeTo: PointRef | null = null,
): void {
  send({ type: "ApplyChange", change: added(kind, point, over, relativeTo) });
}

function added(
  kind: PointConstraintKind,
  point: PointRef,
  [first, last]: readonly [number, number],
  relativeTo: PointRef | null = null,
): Change {
  const shared = {
    point,
    start: first / rate.peek(),
    end: last / rate.peek(),
    position: true,
    orientation: false,
  };
  return {
    change: "AddConstraint",
    character: point.character || character.peek(),
    take: take.peek(),
    constraint: kind === "pin" ? { kind, ...shared } : { kind, ...shared, relative_to: relativeTo },
  };
}

function removed({ index, point }: PointConstraintInfo): Change {
  return {
    change: "RemoveConstraint",
    character: point.character || character.peek(),
    take: take.peek(),
    index,
  };
}

/** Those of a point that hold at a frame. */
export function pointConstraintsAt(
  point: PointRef,
  at: number,
  kind?: PointConstraintKind,
): PointConstraintInfo[] {
  const time = at / rate.peek();
  const slack = 2e-3 / rate.peek(); // more than `segmentAround` allows, so that what P sets P takes off
  return pointConstraints
    .peek()
    .filter(
      (pointConstraint) =>
        (!kind || pointConstraint.kind === kind) &&
        (!pointConstraint.take || pointConstraint.take === take.peek()) &&
        pointKey(pointConstraint.point) === pointKey(point) &&
        time >= pointConstraint.start - slack &&
        time <= pointConstraint.end + slack,
    );
}

/** Adds a pin or contact to the selected points over the segment at this frame, or removes it; one step. */
export function togglePointConstraint(kind: PointConstraintKind): void {
  const changes = toggled(kind, frame.peek());
  if (changes.length) send({ type: "ApplyChanges", changes });
}

function toggled(kind: PointConstraintKind, at: number): Change[] {
  const there = points.peek().flatMap((point) => pointConstraintsAt(point, at, kind));
  // from the last to the first: taking one away moves those behind it
  if (there.length) return there.sort((a, b) => b.index - a.index).map(removed);
  return points.peek().map((point) => added(kind, point, stretchOf(point, at, "segment")));
}
