// Handles of constraints in the viewport, and the constraint after a handle was dragged.

import type { Box, Constraint, Vec3, Region } from "../wire/messages";

export interface ConstraintHandle {
  id: string;
  place: Vec3;
  axis?: number; // it goes along this one only
}

export const THINNEST = 0.01; // m

/** `at` is where its point is now, for what has no place of its own. */
export function handlesOf(constraint: Constraint, at: Vec3 | null): ConstraintHandle[] {
  if (constraint.kind === "path")
    return constraint.positions.map((place, i) => ({ id: `place ${i}`, place }));
  if (constraint.kind === "region") return handlesOfRegion(constraint.region);
  if (constraint.kind === "floor" && constraint.height !== null && at)
    return [{ id: "height", place: [at[0], constraint.height, at[2]], axis: 1 }];
  return [];
}

function handlesOfRegion(region: Region): ConstraintHandle[] {
  if (region.shape === "sphere")
    return [
      { id: "middle", place: region.center },
      {
        id: "radius",
        place: [region.center[0] + region.radius, region.center[1], region.center[2]],
        axis: 0,
      },
    ];
  if (region.shape === "cylinder")
    return [
      { id: "middle", place: middleOf(region) },
      { id: "start", place: region.start },
      { id: "end", place: region.end },
    ];
  if (region.shape === "half_space") return [{ id: "middle", place: region.position }];
  const middle = middleOf(region);
  const faces = [0, 1, 2].flatMap((axis): ConstraintHandle[] => [
    { id: `low ${axis}`, place: put(middle, axis, region.low[axis]!), axis },
    { id: `high ${axis}`, place: put(middle, axis, region.high[axis]!), axis },
  ]);
  return [{ id: "middle", place: middle }, ...faces];
}

/** Whether a handle can be dragged; "", an outline, stands for a region as a whole. */
export function canDragHandle(constraint: Constraint, id: string): boolean {
  return id === ""
    ? constraint.kind === "region"
    : handlesOf(constraint, [0, 0, 0]).some((handle) => handle.id === id);
}

/** The constraint with a handle moved to another position. */
export function withHandleAt(constraint: Constraint, id: string, to: Vec3): Constraint {
  if (constraint.kind === "path") {
    const at = Number(id.split(" ")[1]);
    return {
      ...constraint,
      positions: constraint.positions.map((place, i) => (i === at ? to : place)),
    };
  }
  if (constraint.kind === "floor") return { ...constraint, height: to[1] };
  if (constraint.kind === "region")
    return { ...constraint, region: pulledRegion(constraint.region, id, to) };
  return constraint;
}

function pulledRegion(region: Region, id: string, to: Vec3): Region {
  if (id === "middle") return moved(region, to);
  if (region.shape === "sphere")
    return { ...region, radius: Math.max(apart(to, region.center), THINNEST) };
  if (region.shape === "cylinder") return { ...region, [id]: to };
  if (region.shape === "half_space") return region;
  const [end, axis] = [id.split(" ")[0] as "low" | "high", Number(id.split(" ")[1])];
  const other = (end === "low" ? region.high : region.low)[axis]!;
  const value =
    end === "low" ? Math.min(to[axis]!, other - THINNEST) : Math.max(to[axis]!, other + THINNEST);
  return { ...region, [end]: put(region[end], axis, value) };
}

/** A region whose middle is elsewhere. */
export function moved(region: Region, to: Vec3): Region {
  if (region.shape === "sphere") return { ...region, center: to };
  if (region.shape === "half_space") return { ...region, position: to };
  const by = minus(to, middleOf(region));
  if (region.shape === "cylinder")
    return { ...region, start: plus(region.start, by), end: plus(region.end, by) };
  return { ...region, low: plus(region.low, by), high: plus(region.high, by) };
}

export function middleOf(region: Region): Vec3 {
  if (region.shape === "sphere") return region.center;
  if (region.shape === "half_space") return region.position;
  const [a, b] = region.shape === "box" ? [region.low, region.high] : [region.start, region.end];
  return each((k) => (a[k]! + b[k]!) / 2);
}

export function sizeOf(box: Box): Vec3 {
  return minus(box.high, box.low);
}

/** A box of another size about the same middle. */
export function sized(box: Box, size: Vec3): Box {
  const middle = middleOf(box);
  const half = (k: number) => Math.max(size[k]!, THINNEST) / 2;
  return {
    ...box,
    low: each((k) => middle[k]! - half(k)),
    high: each((k) => middle[k]! + half(k)),
  };
}

/** A box as a ball, a ball as a box, about as large. */
export function reshaped(region: Region): Region {
  const middle = middleOf(region);
  if (region.shape === "box")
    return { shape: "sphere", center: middle, radius: Math.max(...sizeOf(region)) / 2 };
  const half = region.shape === "half_space" ? 0.25 : region.radius;
  return {
    shape: "box",
    low: each((k) => middle[k]! - half),
    high: each((k) => middle[k]! + half),
  };
}

export function put(place: Vec3, axis: number, value: number): Vec3 {
  return each((k) => (k === axis ? value : place[k]!));
}

function each(of: (axis: number) => number): Vec3 {
  return [of(0), of(1), of(2)];
}

function plus(a: Vec3, b: Vec3): Vec3 {
  return each((k) => a[k]! + b[k]!);
}

function minus(a: Vec3, b: Vec3): Vec3 {
  return each((k) => a[k]! - b[k]!);
}

function apart(a: Vec3, b: Vec3): number {
  return Math.hypot(...minus(a, b));
}
