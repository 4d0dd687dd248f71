// Channels without a place in the viewport, over one period: what the strip under it shows.

import { computed } from "@preact/signals-core";
import { channelPath } from "../state/channelPath";
import { chosenChannels, frame, lastFrame, options, rate, tool } from "../state/view";
import { interaction } from "../state/interaction";
import { toolOf } from "../tools/shared/registry";
import type { RigInfo } from "../wire/messages";
import { keyAt, keyCount, valueAt, type Keyed } from "./curve";
import { channelName, groupOf } from "./rows";
import { chosenJoints, rig, shown, still, takeInfo } from "./sheetState";

const MOST = 4; // channels at once
const FINE = 4; // samples in a frame
const ROOM = 0.12; // of the height, above and below the curves

export interface StripCurve {
  channel: number;
  path: string; // its full name
  label: string;
  curve: Keyed; // as previewed
}

export interface Strip {
  curves: StripCurve[];
  low: number;
  high: number;
  frames: number; // of one period
}

/** What the strip shows; null where the tool or the selection has none. */
export const strip = computed<Strip | null>(() => {
  const own = rig.value;
  const info = takeInfo.value;
  if (!own || !info || !toolOf(tool.value).dragsChannels || info.layers.length) return null;
  const curves = stripChannels(own).flatMap((channel): StripCurve[] => {
    const curve = shown.value.get(channel);
    if (!curve) return [];
    const path = channelPath(own, channel);
    return [{ channel, path, label: channelName(own, channel), curve }];
  });
  if (!curves.length) return null;
  const frames = Math.max(info.duration * info.rate, 1);
  return { curves, frames, ...rangeOf(own, curves, frames) };
});

/** The chosen channels but translations, which have curves; else weights and others of the selected joints. */
function stripChannels(own: RigInfo): number[] {
  const group = (channel: number) => groupOf(own.channels[channel]?.kind ?? "");
  const keyed = [...still.value.keys()].sort((a, b) => a - b);
  const chosen = keyed.filter(
    (channel) => chosenChannels.value.has(channel) && group(channel) !== "translate",
  );
  const placeless = (channel: number) =>
    ["weight", "custom"].includes(group(channel)) &&
    chosenJoints.value.has(own.channels[channel]?.joint ?? -1);
  return (chosen.length ? chosen : keyed.filter(placeless)).slice(0, MOST);
}

/** From the keys before a drag, so that the strip does not move under the pointer. */
function rangeOf(
  own: RigInfo,
  curves: readonly StripCurve[],
  frames: number,
): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const { channel, curve } of curves) {
    for (const value of samples(still.value.get(channel) ?? curve, frames))
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (groupOf(own.channels[channel]?.kind ?? "") === "weight")
      [low, high] = [Math.min(low, 0), Math.max(high, 1)];
  }
  const middle = (low + high) / 2;
  const half = Math.max((high - low) / 2, 0.05);
  return { low: middle - half * (1 + 2 * ROOM), high: middle + half * (1 + 2 * ROOM) };
}

/** Values of a curve over a period, some in each frame. */
export function samples(curve: Keyed, frames: number): number[] {
  const count = Math.ceil(frames * FINE);
  return Array.from({ length: count + 1 }, (_, i) =>
    valueAt(curve, Math.min(i / FINE, frames) / rate.value),
  );
}

/** The keys of a curve within a period: frame and value. */
export function keysWithin(curve: Keyed, frames: number): [number, number][] {
  const all = Array.from({ length: keyCount(curve) }, (_, i) => keyAt(curve, i));
  return all
    .map(({ time, value }): [number, number] => [time * rate.value, value])
    .filter(([at]) => at >= -1e-3 && at <= frames + 1e-3);
}

/** Frames that a drag on the strip changes; null while nothing is dragged there. */
export function stripSpan(at: number): [number, number] | null {
  const option = toolOf(tool.value).affectedRange;
  const around = option ? Number(options.value[tool.value]?.[option] ?? 0) * rate.value : 0;
  return interaction.value && around > 0 ? [at - around, at + around] : null;
}

/** The frame of the playhead within the strip. */
export function playhead(): number {
  return Math.min(Math.max(frame.value, 0), lastFrame.value);
}
