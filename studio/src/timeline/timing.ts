// Frame rate, length and range of a take; a new rate asks whether to keep frames or speed.

import { effect } from "@preact/signals-core";
import { openMenu } from "../controls/menu";
import { takeName } from "../state/document";
import { character, frame, lastFrame, range, take } from "../state/view";
import { setRange } from "./dragging";
import { takeInfo } from "./sheetState";
import { doAtOnce, here } from "./changePreview";

/** Opens the menu; the rate is what it was until something is chosen there. */
export function askRate(rate: number): void {
  const now = takeInfo.peek();
  if (!now) return;
  const set = (keep: "frames" | "seconds") => () =>
    doAtOnce({
      change: "SetTiming",
      ...here(),
      rate,
      duration: now.duration, // s of the old rate
      loops: now.loops,
      keep,
    });
  const field = document.querySelector('[aria-label="Frames per second"]')?.getBoundingClientRect();
  const slower = rate < now.rate ? "slower" : "faster";
  openMenu(
    [
      { label: `Change to ${rate} fps, keep frames: plays ${slower}`, run: set("frames") },
      {
        label: `Change to ${rate} fps, keep speed: keys may fall between frames`,
        run: set("seconds"),
      },
      { label: `Keep ${now.rate} fps`, line: true },
    ],
    field?.left ?? 200,
    (field?.top ?? 400) - 92,
  );
}

/** The playback range and the playhead stay inside the take; another take plays whole. */
export function keepInsideTake(): void {
  let place = "";
  effect(() => {
    const last = lastFrame.value;
    const here = takeName(character.value, take.value);
    if (place && here !== place) range.value = null;
    place = here;
    const now = range.peek();
    if (last === 0) return;
    if (now && now[1] > last) setRange(now[0], last);
    if (frame.peek() > last) frame.value = last;
  });
}

export function setLength(last: number): void {
  const now = takeInfo.peek();
  if (!now || last < 1) return;
  const { rate, loops } = now;
  doAtOnce({ change: "SetTiming", ...here(), rate, duration: last / rate, loops });
}
