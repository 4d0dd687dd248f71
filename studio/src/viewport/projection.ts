// Projection between world and screen: CSS px from the upper left corner.

import { Ray, Vector3 } from "three";
import type { Orbit } from "./orbit";

export interface Seen {
  x: number;
  y: number;
  depth: number; // m in front of the camera
}

export function project(orbit: Orbit, place: Vector3): Seen | null {
  const inView = place.clone().applyMatrix4(orbit.camera.matrixWorldInverse);
  if (-inView.z <= orbit.camera.near) return null;
  const depth = -inView.z;
  inView.applyMatrix4(orbit.camera.projectionMatrix);
  return {
    x: (0.5 + 0.5 * inView.x) * orbit.size.x,
    y: (0.5 - 0.5 * inView.y) * orbit.size.y,
    depth,
  };
}

export function rayAt(orbit: Orbit, x: number, y: number): Ray {
  const far = new Vector3((2 * x) / orbit.size.x - 1, 1 - (2 * y) / orbit.size.y, 0.5).unproject(
    orbit.camera,
  );
  return new Ray(orbit.camera.position.clone(), far.sub(orbit.camera.position).normalize());
}

/** The end of a line that lies before the camera, so that it can be drawn flat. */
export function clipped(orbit: Orbit, from: Vector3, to: Vector3): [Seen, Seen] | null {
  const depthOf = (place: Vector3) =>
    -place.clone().applyMatrix4(orbit.camera.matrixWorldInverse).z;
  const near = orbit.camera.near * 1.01;
  const [a, b] = [depthOf(from), depthOf(to)];
  if (a < near && b < near) return null;
  const cut = (out: Vector3, inside: Vector3, d: number, e: number) =>
    out.clone().lerp(inside, (near - d) / (e - d));
  const first = project(orbit, a < near ? cut(from, to, a, b) : from);
  const second = project(orbit, b < near ? cut(to, from, b, a) : to);
  return first && second && [first, second];
}

export interface Nearest {
  at: number; // index of a sample, with a share of the way to the next
  distance: number; // px
  depth: number;
}

/** The nearest place of a line of seen samples; missing ones break the line. */
export function nearestOn(line: readonly (Seen | null)[], x: number, y: number): Nearest | null {
  let best: Nearest | null = null;
  for (let i = 0; i < line.length; i++) {
    const a = line[i];
    if (!a) continue;
    const b = line[i + 1] ?? a;
    const [wx, wy] = [b.x - a.x, b.y - a.y];
    const long = wx * wx + wy * wy;
    const share = long > 0 ? Math.min(Math.max(((x - a.x) * wx + (y - a.y) * wy) / long, 0), 1) : 0;
    const distance = Math.hypot(a.x + share * wx - x, a.y + share * wy - y);
    if (!best || distance < best.distance) {
      best = {
        at: i + (line[i + 1] ? share : 0),
        distance,
        depth: a.depth + share * (b.depth - a.depth),
      };
    }
  }
  return best;
}

/** The nearest place of a line among those that are no deeper than `depth`: the others are hidden. */
export function nearestInFront(
  line: readonly (Seen | null)[],
  x: number,
  y: number,
  depth: number,
): Nearest | null {
  const shown = line.map((seen) => (seen && seen.depth <= depth ? seen : null));
  return nearestOn(shown, x, y);
}

/** Whether the marks beside one are all nearer than a radius, px, so that a pointer cannot choose it. */
export function areCrowded(
  { x, y }: Seen,
  beside: readonly (Seen | null)[],
  radius: number,
): boolean {
  const apart = beside.flatMap((each) => (each ? [Math.hypot(each.x - x, each.y - y)] : []));
  return apart.length > 0 && Math.max(...apart) < radius;
}
