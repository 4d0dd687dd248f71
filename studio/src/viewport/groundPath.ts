// The smoothed path of a body over the ground.

import type { RigInfo } from "../wire/messages";

/** A place on the ground. */
export type Ground = readonly [x: number, z: number];

/** The straight way that is nearest to places around a frame, where it is then; also at the ends of a take. */
export function evened(
  at: number,
  half: number,
  step: number,
  last: number,
  place: (frame: number) => Ground | null,
): Ground | null {
  let [all, lean, wide] = [0, 0, 0];
  const [mean, slope] = [
    [0, 0],
    [0, 0],
  ] as [number[], number[]];
  const first = step * Math.ceil(Math.max(at - half, 0) / step);
  for (let frame = first; frame <= Math.min(at + half, last); frame += step) {
    const there = place(frame);
    if (!there) continue;
    const off = (frame - at) / half;
    const weight = Math.cos((off * Math.PI) / 2) ** 2;
    [all, lean, wide] = [all + weight, lean + weight * off, wide + weight * off * off];
    for (let i = 0; i < 2; i++) {
      mean[i]! += weight * there[i]!;
      slope[i]! += weight * off * there[i]!;
    }
  }
  if (all < 1e-9) return null;
  const area = all * wide - lean * lean;
  const straight = area > 1e-9 * all * all;
  const value = (i: number) =>
    straight ? (wide * mean[i]! - lean * slope[i]!) / area : mean[i]! / all;
  return [value(0), value(1)];
}

/** The joint that the body hangs on: the hips by name, or the first that others branch from. */
export function hipsOf(rig: Pick<RigInfo, "joints" | "parents">): number {
  const named = rig.joints.findIndex((joint) => /hips?$|pelvis/i.test(joint));
  if (named >= 0) return named;
  const branches = rig.joints.findIndex(
    (_, joint) => rig.parents.filter((parent) => parent === joint).length > 1,
  );
  return Math.max(branches, 0);
}
