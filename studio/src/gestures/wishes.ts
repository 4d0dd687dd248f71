// Pins and contacts where they act: over the segment, at a frame, over the playback range.

import { spotName, story } from "../state/document";
import { character, frame, lastFrame, playRange, points, rate, take } from "../state/view";
import { curveOf, segmentAround } from "../viewport/samples";
import type { Change, PointRef, PointConstraintKind, PointConstraintInfo } from "../wire/messages";
import { say } from "../wire/socket";

export type Stretch = "segment" | "frame" | "range";

/** In frames: what a new pin or contact covers. */
export function stretchOf(spot: PointRef, at: number, over: Stretch): [number, number] {
  if (over === "range") return [...playRange.peek()];
  const whole = Math.min(Math.max(Math.round(at), 0), lastFrame.peek());
  if (over === "frame") return [whole, whole];
  const curve = curveOf(spot, false);
  return curve ? segmentAround(curve, at, rate.peek()) : [0, lastFrame.peek()];
}

export function addWish(
  kind: PointConstraintKind,
  spot: PointRef,
  over: readonly [number, number],
  relativeTo: PointRef | null = null,
): void {
  say({ type: "ApplyChange", change: added(kind, spot, over, relativeTo) });
}

export function removeWish(wish: PointConstraintInfo): void {
  say({ type: "ApplyChange", change: removed(wish) });
}

function added(
  kind: PointConstraintKind,
  spot: PointRef,
  [first, last]: readonly [number, number],
  relativeTo: PointRef | null = null,
): Change {
  return {
    change: "AddPointConstraint",
    character: spot.character || character.peek(),
    take: take.peek(),
    kind,
    point: spot,
    start: first / rate.peek(),
    end: last / rate.peek(),
    position: true,
    orientation: false,
    relative_to: relativeTo,
  };
}

function removed({ kind, index, point }: PointConstraintInfo): Change {
  return {
    change: "RemovePointConstraint",
    character: point.character || character.peek(),
    take: take.peek(),
    kind,
    index,
  };
}

/** Those of a point that hold at a frame. */
export function wishesAt(
  spot: PointRef,
  at: number,
  kind?: PointConstraintKind,
): PointConstraintInfo[] {
  const time = at / rate.peek();
  const slack = 2e-3 / rate.peek(); // more than `segmentAround` allows, so that what P sets P takes off
  return (story.peek()?.point_constraints ?? []).filter(
    (wish) =>
      (!kind || wish.kind === kind) &&
      (!wish.take || wish.take === take.peek()) &&
      spotName(wish.point) === spotName(spot) &&
      time >= wish.start - slack &&
      time <= wish.end + slack,
  );
}

/** For the selected points: sets a wish over the segment at the current frame, or takes it away; one step. */
export function toggleWish(kind: PointConstraintKind): void {
  const changes = toggled(kind, frame.peek());
  if (changes.length) say({ type: "ApplyChanges", changes });
}

function toggled(kind: PointConstraintKind, at: number): Change[] {
  const there = points.peek().flatMap((spot) => wishesAt(spot, at, kind));
  // from the last to the first: taking one away moves those behind it
  if (there.length) return there.sort((a, b) => b.index - a.index).map(removed);
  return points.peek().map((spot) => added(kind, spot, stretchOf(spot, at, "segment")));
}
