// The stages from reality to virtuality: which are open, what unlocks the next one, and what is remembered.

import type { Vec3 } from "../wire/messages";

export const STAGES = ["place", "avatar", "augmented", "mixed", "virtual"] as const;
export type StageName = (typeof STAGES)[number];

export interface Progress {
  shown: StageName;
  furthest: StageName; // that is open
}

export const BEGINNING: Progress = { shown: "place", furthest: "place" };

export function isOpen({ furthest }: Progress, name: StageName): boolean {
  return STAGES.indexOf(name) <= STAGES.indexOf(furthest);
}

/** Goes to a stage, forwards or back; a locked one is not entered. */
export function enter(progress: Progress, name: StageName): Progress {
  return isOpen(progress, name) ? { ...progress, shown: name } : progress;
}

export function nextOf(name: StageName): StageName | null {
  return STAGES[STAGES.indexOf(name) + 1] ?? null;
}

/** The milestone of the shown stage is reached: the next one is open, now and for ever. */
export function unlock(progress: Progress): Progress {
  const next = nextOf(progress.shown);
  return next && !isOpen(progress, next) ? { ...progress, furthest: next } : progress;
}

export const REAL_SHAPES = ["box", "cylinder"] as const;
export const VIRTUAL_SHAPES = ["tree", "mushroom", "crystal"] as const;
export type RealShape = (typeof REAL_SHAPES)[number];
export type VirtualShape = (typeof VIRTUAL_SHAPES)[number];

/** A real prop that was marked in the camera picture, or a virtual one. */
export interface StageProp {
  name: string;
  shape: RealShape | VirtualShape;
  place: Vec3; // m, of its middle on the ground
  size: number; // m, its width; a box is as high
  visited: boolean;
}

export function isReal({ shape }: StageProp): boolean {
  return (REAL_SHAPES as readonly string[]).includes(shape);
}

const LONGEST = 200; // characters of an option

/** Real props as boxes that a puppet can stand on: "x z width height" of each, as many as an option holds. */
export function blocksOf(props: readonly StageProp[]): string {
  let text = "";
  for (const { place, size } of props.filter(isReal)) {
    const more = [place[0], place[2], size, size].map((value) => value.toFixed(2)).join(" ");
    if (text.length + more.length + 1 <= LONGEST) text += text ? `;${more}` : more;
  }
  return text;
}

/** Over the ground, m. */
export function distanceBetween(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[2] - b[2]);
}

/** The props after the puppet was somewhere; the same array where it visits nothing new. */
export function visit(props: readonly StageProp[], at: Vec3, reach: number): readonly StageProp[] {
  const isNew = (each: StageProp) =>
    !each.visited && distanceBetween(each.place, at) <= reach + each.size / 2;
  return props.some(isNew)
    ? props.map((each) => (isNew(each) ? { ...each, visited: true } : each))
    : props;
}

/** The milestone of the mixed stage: a virtual prop is there, and the puppet was at every prop. */
export function isExplored(props: readonly StageProp[]): boolean {
  return props.some((each) => !isReal(each)) && props.every(({ visited }) => visited);
}
