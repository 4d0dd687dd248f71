// The number of key poses for a tolerance, while it is being chosen.

import { signal } from "@preact/signals-core";
import type { FitTake, ReductionInfo } from "../wire/messages";
import { send } from "../wire/socket";

export type Poses = NonNullable<FitTake["poses"]>;

export interface ReductionRequest {
  character: string;
  take: string;
  tolerance: number; // m
  poses: Poses;
}

/** What the server answered last about the reduction that is being chosen. */
export const counted = signal<ReductionInfo | null>(null);
let wanted: ReductionRequest | null = null;

/** Asks for the count; the last question counts. */
export function requestCount(now: ReductionRequest): void {
  wanted = now;
  send({ type: "RequestReduction", ...now });
}

/** Cancels the request. */
export function cancelCount(): void {
  if (wanted) send({ type: "CancelReduction" });
  wanted = null;
  counted.value = null;
}

/** The server has counted, or is on its way; answers to old questions are left out. */
export function receiveCount(info: ReductionInfo): void {
  if (!wanted) return;
  const same = (["character", "take", "tolerance", "poses"] as const).every(
    (name) => info[name] === wanted?.[name],
  );
  if (same) counted.value = info;
}

/** As in "24 key poses, at most 8.7 mm off". */
export function countText(info: ReductionInfo | null, now: ReductionRequest): string {
  if (!info) return "Counting key poses…";
  if (info.share < 1) return `Counting key poses… ${Math.round(100 * info.share)} %`;
  if (info.tolerance !== now.tolerance || info.poses !== now.poses) return "Counting key poses…";
  const poses = `${info.key_poses} key ${info.key_poses === 1 ? "pose" : "poses"}`;
  const most = info.poses === "per-channel" ? "At most " : "";
  return `${most}${poses}, at most ${(1000 * info.error).toFixed(1)} mm off`;
}
