// Line segments that draw regions, floors and paths.

import type { Vec3, Region } from "../wire/messages";

const ROUND = 40; // parts of a circle

export type Segments = Vec3[]; // from, to, from, to …

export function outlineOf(region: Region, scale: number): Segments {
  if (region.shape === "box") return box(region.low, region.high);
  if (region.shape === "sphere") {
    const { center, radius } = region;
    return [0, 1, 2].flatMap((axis) =>
      circle(center, unit((axis + 1) % 3), unit((axis + 2) % 3), radius),
    );
  }
  if (region.shape === "cylinder") return cylinder(region.start, region.end, region.radius);
  const [u, v] = across(region.normal);
  const half = 0.5 * scale;
  return [
    ...patch(region.position, u, v, half),
    region.position,
    along(region.position, region.normal, 0.15 * scale),
  ];
}

/** A hatched square on the ground, or at another height. */
export function groundPatch(at: Vec3, height: number, scale: number): Segments {
  return patch([at[0], height, at[2]], unit(0), unit(2), 0.14 * scale);
}

export function line(places: readonly Vec3[]): Segments {
  return places.slice(1).flatMap((place, i) => [places[i]!, place]);
}

/** A flat circle around a place. */
export function ring(at: Vec3, radius: number): Segments {
  return circle(at, unit(0), unit(2), radius);
}

function box(low: Vec3, high: Vec3): Segments {
  const corner = (bits: number): Vec3 =>
    [0, 1, 2].map((k) => ((bits >> k) & 1 ? high : low)[k]!) as Vec3;
  const found: Segments = [];
  for (let bits = 0; bits < 8; bits++)
    for (let axis = 0; axis < 3; axis++)
      if (!((bits >> axis) & 1)) found.push(corner(bits), corner(bits | (1 << axis)));
  return found;
}

function circle(middle: Vec3, u: Vec3, v: Vec3, radius: number): Segments {
  const at = (i: number) => {
    const angle = (2 * Math.PI * i) / ROUND;
    return along(along(middle, u, radius * Math.cos(angle)), v, radius * Math.sin(angle));
  };
  return Array.from({ length: ROUND }, (_, i) => [at(i), at(i + 1)]).flat();
}

function cylinder(start: Vec3, end: Vec3, radius: number): Segments {
  const [u, v] = across(start.map((each, k) => end[k]! - each) as Vec3);
  const sides = [u, v].flatMap((way) =>
    [radius, -radius].flatMap((far) => [along(start, way, far), along(end, way, far)]),
  );
  return [...circle(start, u, v, radius), ...circle(end, u, v, radius), ...sides];
}

function patch(middle: Vec3, u: Vec3, v: Vec3, half: number): Segments {
  const at = (x: number, y: number) => along(along(middle, u, x * half), v, y * half);
  const hatch = [-0.5, 0, 0.5].flatMap((by) => [
    at(Math.max(-1, -1 + 2 * by), Math.max(-1, -1 - 2 * by)),
    at(Math.min(1, 1 + 2 * by), Math.min(1, 1 - 2 * by)),
  ]);
  return [
    at(-1, -1),
    at(1, -1),
    at(1, -1),
    at(1, 1),
    at(1, 1),
    at(-1, 1),
    at(-1, 1),
    at(-1, -1),
    ...hatch,
  ];
}

/** Two directions across a third, each of length 1. */
function across(way: Vec3): [Vec3, Vec3] {
  const long = Math.hypot(...way) || 1;
  const n = way.map((each) => each / long) as Vec3;
  const other = Math.abs(n[1]) < 0.9 ? unit(1) : unit(0);
  const u = cross(other, n);
  const size = Math.hypot(...u) || 1;
  const first = u.map((each) => each / size) as Vec3;
  return [first, cross(n, first)];
}

function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(axis: number): Vec3 {
  return [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0];
}

function along(place: Vec3, way: Vec3, far: number): Vec3 {
  return [place[0] + far * way[0], place[1] + far * way[1], place[2] + far * way[2]];
}
