// Joints of a rig over a photo: which ones are placed, where they begin, and the colours around them.

import type { RigInfo, Vec2, Vec3 } from "../wire/messages";
import type { Placed } from "../viewport/pose";

const MAIN =
  /(hips|pelvis|neck|head|(upper|lower|fore)_?arm|hand|(upper|lower)_?leg|thigh|shin|calf|foot)$/i;
const MOST = 16; // joints of a rig without such names
const TALL = 0.78; // of the photo's height that a body takes up at first
const PATCH = 4; // px around a place whose colours are taken

export type Marks = Readonly<Record<string, Vec2>>;

/** Joints that are worth placing. */
export function mainJoints(joints: readonly string[]): string[] {
  const named = joints.filter((each) => MAIN.test(each));
  if (named.length >= 6) return named;
  const step = Math.ceil(joints.length / MOST);
  return joints.filter((_, i) => i % step === 0);
}

/** The nearest marked joint above each, for drawing bones. */
export function bonesBetween(rig: RigInfo, marks: Marks): [string, string][] {
  return Object.keys(marks).flatMap((name): [string, string][] => {
    let up = rig.parents[rig.joints.indexOf(name)] ?? -1;
    while (up >= 0 && !(rig.joints[up]! in marks)) up = rig.parents[up]!;
    return up >= 0 ? [[name, rig.joints[up]!]] : [];
  });
}

/** Marks of a pose that is seen from the front (`facing` is a quarter turn about Y), in the middle of a photo; px. */
export function firstMarks(rig: RigInfo, placed: Placed, facing: number, size: Vec2): Marks {
  const seen = mainJoints(rig.joints).map((name): [string, number, number] => {
    const o = 16 * rig.joints.indexOf(name) + 12;
    const across = placed[o]! * Math.cos(facing) - placed[o + 2]! * Math.sin(facing);
    return [name, across, placed[o + 1]!];
  });
  const [xs, ys] = [seen.map(([, x]) => x), seen.map(([, , y]) => y)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
  const scale = (TALL * size[1]) / Math.max(high - low, 1e-6);
  return Object.fromEntries(
    seen.map(([name, x, y]) => [
      name,
      [size[0] / 2 + scale * (x - middle), size[1] * 0.93 - scale * (y - low)] as Vec2,
    ]),
  );
}

/** Colours of garments, 0 to 1, around places between the marks. */
export function clothingPixels(photo: ImageData, marks: Marks): Record<string, Vec3[]> {
  const of = (word: RegExp) => Object.keys(marks).filter((each) => word.test(each));
  const between = (a: string | undefined, b: string | undefined, shares: readonly number[]) =>
    a && b ? shares.flatMap((share) => patch(photo, mixed(marks[a]!, marks[b]!, share))) : [];
  const [neck, hips, head] = [of(/neck$/i)[0], of(/(hips|pelvis)$/i)[0], of(/head$/i)[0]];
  const thighs = of(/(upper_?leg|thigh)$/i);
  const shins = of(/(lower_?leg|shin|calf)$/i);
  const found: Record<string, Vec3[]> = {
    top: between(neck ?? head, hips, [0.35, 0.5, 0.65]),
    bottom: thighs.flatMap((thigh, i) => between(thigh, shins[i], [0.4, 0.6, 0.8])),
    skin: between(neck, head, [1, 1.3]),
  };
  return Object.fromEntries(Object.entries(found).filter(([, pixels]) => pixels.length > 0));
}

function mixed(a: Vec2, b: Vec2, share: number): Vec2 {
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
}

function patch({ width, height, data }: ImageData, [x, y]: Vec2): Vec3[] {
  const found: Vec3[] = [];
  for (let row = Math.round(y) - PATCH; row <= y + PATCH; row++)
    for (let column = Math.round(x) - PATCH; column <= x + PATCH; column++) {
      if (row < 0 || column < 0 || row >= height || column >= width) continue;
      const at = 4 * (row * width + column);
      found.push([data[at]! / 255, data[at + 1]! / 255, data[at + 2]! / 255]);
    }
  return found;
}
