// Whether a path leads out of a camera's view.

import { Vector3, type Camera } from "three";

const WIDE = 0.85; // of the half picture, sideways
const HIGH = 0.75; // of the half picture, up and down
const FAR = 2; // times as far from the camera as at first: the figure is half as large, or double

/** Whether any place, such as of hips over a take, is out of view, or much nearer or farther than the first. */
export function leavesView(places: Iterable<Vector3>, camera: Camera): boolean {
  let first = 0;
  const seen = new Vector3();
  for (const place of places) {
    const depth = -seen.copy(place).applyMatrix4(camera.matrixWorldInverse).z;
    first ||= depth;
    if (depth <= 0 || depth > FAR * first || depth < first / FAR) return true;
    seen.applyMatrix4(camera.projectionMatrix);
    if (Math.abs(seen.x) > WIDE || Math.abs(seen.y) > HIGH) return true;
  }
  return false;
}

/** How far out of view a place is: more than 1 is out, or much nearer or farther than what is looked at, `distance` m away. */
export function outness(place: Vector3, camera: Camera, distance: number): number {
  const seen = place.clone().applyMatrix4(camera.matrixWorldInverse);
  const depth = -seen.z;
  if (depth <= 0) return Infinity;
  seen.applyMatrix4(camera.projectionMatrix);
  const aside = Math.max(Math.abs(seen.x) / WIDE, Math.abs(seen.y) / HIGH);
  return Math.max(aside, depth / (FAR * distance), distance / (FAR * depth));
}
