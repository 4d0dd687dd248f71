// Frame rate and length of a take. Another rate asks what is to stay: frame numbers or seconds.

import { openMenu } from "../panels/menu";
import { told } from "./shown";
import { doAtOnce, here } from "./sliding";

export function askRate(rate: number): void {
  const now = told.peek();
  if (!now) return;
  const set = (keep: "frames" | "seconds") => () =>
    doAtOnce({
      change: "settiming",
      ...here(),
      rate,
      duration: keep === "frames" ? (now.duration * now.rate) / rate : now.duration,
      loops: now.loops,
      keep,
    });
  const field = document.querySelector('[aria-label="Frames per second"]')?.getBoundingClientRect();
  const slower = rate < now.rate ? "slower" : "faster";
  openMenu(
    [
      { label: `Keep frame numbers: keys stay on their frames, the motion plays ${slower}`, run: set("frames") },
      { label: "Keep seconds: the motion looks the same, keys may fall between frames", run: set("seconds") },
      { label: `Stay at ${now.rate} fps`, line: true },
    ],
    field?.left ?? 200,
    (field?.top ?? 400) - 92,
  );
}

export function setLength(lastFrame: number): void {
  const now = told.peek();
  if (!now || lastFrame < 1) return;
  const { rate, loops } = now;
  doAtOnce({ change: "settiming", ...here(), rate, duration: lastFrame / rate, loops });
}
