// How images and videos are taken: size, frames, background, what lies over the bodies.

import { signal } from "@preact/signals-core";
import { playing, frame, playRange } from "../state/view";
import type { Stage } from "./stage";

export const BACKGROUNDS = {
  viewport: "As in the viewport",
  plain: "Plain, without the grid",
  transparent: "Transparent (images only)",
} as const;
export type Background = keyof typeof BACKGROUNDS;

export interface FilmSettings {
  size: readonly [width: number, height: number] | null; // px; null as the viewport
  frames: readonly [first: number, last: number] | null; // null is the playback range
  background: Background;
  overlays: boolean; // motion curves, markers, ghosts
}

export const filmSettings = signal<FilmSettings>({
  size: null,
  frames: null,
  background: "viewport",
  overlays: true,
});

export function filmedFrames(): readonly [number, number] {
  return filmSettings.value.frames ?? playRange.value;
}

/** Sets the viewport up for taking pictures, and gives it back as it was. */
export async function filming<T>(here: Stage, still: boolean, take: () => Promise<T>): Promise<T> {
  const { size, background, overlays } = filmSettings.peek();
  const before = { frame: frame.peek(), playing: playing.peek() };
  playing.value = false;
  here.gizmo.off = true;
  here.bare = !overlays;
  here.showBackground(background === "transparent" && !still ? "plain" : background);
  if (size) here.resize(size[0], size[1], 1);
  try {
    here.draw();
    return await take();
  } finally {
    here.gizmo.off = here.bare = false;
    here.showBackground("viewport");
    frame.value = before.frame;
    playing.value = before.playing;
    here.resize();
    here.changed();
  }
}
