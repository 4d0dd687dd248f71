// What is drawn of constraints at a frame: lines, handles, labels, centres of mass.

import { Vector3 } from "three";
import { handlesOf, type ConstraintHandle } from "../constraints/handles";
import { pointsOf, spanOf } from "../constraints/kinds";
import { groundPatch, line, outlineOf, ring, type Segments } from "../constraints/outline";
import { constraintsHere, draggedConstraint, isShown } from "../state/constraints";
import { sceneInfo, takeOf } from "../state/document";
import {
  selectedConstraint,
  frame,
  selectedOnlyMarkers,
  points,
  showConstraints,
} from "../state/view";
import { activeTool } from "../tools/shared/registry";
import type { ConstraintInfo, Vec3, PointRef } from "../wire/messages";
import type { Actor } from "./actors";
import { placeOf, type Placed } from "./pose";
import { curveOf } from "./motionCurve";
import { length } from "../controls/pointText";
import { takeShown } from "../state/shownTakes";
import { loadedPoseAt, worldAt } from "./shownPose";
import type { SceneView } from "./sceneView";

const STEPS = 60; // of the path of a flight

/** A constraint as it is drawn now. */
export interface ConstraintDrawing {
  info: ConstraintInfo;
  segments: Segments;
  handles: ConstraintHandle[];
  dots: Vec3[]; // without a handle
  label: { text: string; at: Vec3 } | null;
  holds: boolean; // at the shown frame
  chosen: boolean;
}

type Drawn = Partial<ConstraintDrawing> & { segments: Segments };

/** Those of size, which are only there when it is chosen. */
export function isFine({ id }: { id: string }): boolean {
  return id.startsWith("low") || id.startsWith("high") || id === "radius";
}

/** All that are shown, of everyone who plays the take. */
export function constraintDrawings(stage: SceneView): ConstraintDrawing[] {
  const active = activeTool().overlays.constraints;
  if (!active && selectedConstraint.value?.kind !== "constraint") return [];
  return constraintsHere().flatMap((info) => {
    const chosen =
      selectedConstraint.value?.kind === "constraint" &&
      selectedConstraint.value.index === info.index;
    const actor = stage.actors.find(info.character);
    const seen = chosen || (active && (!selectedOnlyMarkers.value || isOfSelection(info)));
    if (
      !actor?.placed ||
      !seen ||
      !showConstraints.value ||
      !isShown(info) ||
      (info.take && takeShown(info.character) !== info.take)
    )
      return [];
    return [drawingOf(info, actor, actor.placed, chosen)];
  });
}

function isOfSelection({ constraint, character }: ConstraintInfo): boolean {
  const own = pointsOf(constraint).map((point) => point.joint);
  const of = points.value.filter((each) => each.character === character);
  return own.length ? of.some((each) => own.includes(each.joint)) : of.length > 0;
}

function drawingOf(
  info: ConstraintInfo,
  actor: Actor,
  placed: Placed,
  chosen: boolean,
): ConstraintDrawing {
  const { constraint } = info;
  const rate = takeOf(info.character, takeShown(info.character))?.rate ?? 24;
  const [start, end] = spanOf(constraint);
  const now = frame.value / rate;
  const place = (point: PointRef) => placeOf(actor.rig, placed, point)?.toArray() ?? null;
  const at = pointsOf(constraint)[0] ? place(pointsOf(constraint)[0]!) : rootOf(placed);
  const made: ConstraintDrawing = {
    info,
    segments: [],
    handles: handlesOf(constraint, at),
    dots: [],
    label: null,
    holds: now >= start - 1e-6 && now <= end + 1e-6,
    chosen,
  };
  const scale = sceneInfo.value?.scale ?? 1;
  switch (constraint.kind) {
    case "distance":
      return { ...made, ...span(place(constraint.point), place(constraint.other)) };
    case "region":
      return { ...made, segments: outlineOf(constraint.region, scale) };
    case "floor":
      return {
        ...made,
        segments: at ? groundPatch(at, constraint.height ?? lowest(constraint.point), scale) : [],
      };
    case "path":
      return {
        ...made,
        segments: line(
          info.line.length && draggedConstraint.value?.index !== info.index
            ? info.line
            : constraint.positions,
        ),
      };
    case "coincident": {
      const [from, to] = [start, end].map(
        (time) => worldAt(constraint.point, time * rate)?.toArray() ?? null,
      );
      return {
        ...made,
        dots: [from, to].filter((each) => each != null),
        ...span(from ?? null, to ?? null),
      };
    }
    case "balance":
      return { ...made, ...plumb(centre(info, actor, placed), constraint.margin) };
    case "flight":
      return { ...made, ...flown(info, actor, placed, start * rate, end * rate) };
    default:
      return { ...made, dots: at ? [at] : [] };
  }
}

/** A line between two places, with how long it is. */
function span(from: Vec3 | null, to: Vec3 | null): Drawn {
  if (!from || !to) return { segments: [] };
  const far = Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
  const middle = from.map((each, k) => (each + to[k]!) / 2) as Vec3;
  return { segments: [from, to], label: { text: length(far), at: middle } };
}

/** The lowest place of a point, as far as its curve is known; the ground otherwise. */
function lowest(point: PointRef | null): number {
  const curve = point && curveOf(point, false);
  if (!curve) return 0;
  let low = Infinity;
  for (let i = 1; i < curve.positions.length; i += 3) low = Math.min(low, curve.positions[i]!);
  return Number.isFinite(low) ? low : 0;
}

function rootOf(placed: Placed): Vec3 {
  return [placed[12]!, placed[13]!, placed[14]!];
}

function centre(info: ConstraintInfo, actor: Actor, placed: Placed): Vec3 | null {
  const sum = new Vector3();
  for (const { point, share } of info.masses) {
    const place = placeOf(actor.rig, placed, point);
    if (place) sum.addScaledVector(place, share);
  }
  return info.masses.length ? sum.toArray() : null;
}

/** The centre of mass, and where it lies over the ground. */
function plumb(at: Vec3 | null, around: number): Drawn {
  if (!at) return { segments: [] };
  const foot: Vec3 = [at[0], 0, at[2]];
  return { segments: [at, foot, ...ring(foot, around)], dots: [at] };
}

/** The way of the centre of mass through the air. */
function flown(
  info: ConstraintInfo,
  actor: Actor,
  placed: Placed,
  first: number,
  last: number,
): Drawn {
  const step = Math.max(1, Math.ceil((last - first) / STEPS));
  const way: Vec3[] = [];
  for (let at = Math.ceil(first - 1e-3); at <= last + 1e-3; at += step) {
    const there = loadedPoseAt(actor.rig, at);
    const place = there && centre(info, actor, there);
    if (place) way.push(place);
  }
  const now = centre(info, actor, placed);
  return { segments: line(way), dots: now ? [now] : [] };
}
