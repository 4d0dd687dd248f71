// What a performance moves: the selected channels, or the point that acts.

import { pointText } from "../controls/pointText";
import { channelPath } from "../state/channelPath";
import { rigOf } from "../state/document";
import type { PerformedItem } from "../state/interaction";
import { character, chosenChannels, points } from "../state/view";
import type { PointRef } from "../wire/messages";

export interface NamedItem extends PerformedItem {
  label: string;
}

/** Null where nothing is selected. */
export function performedItem(): NamedItem | null {
  const rig = rigOf(character.value);
  const chosen = [...chosenChannels.value].sort((a, b) => a - b);
  const channels = rig ? chosen.map((each) => channelPath(rig, each)) : [];
  const point = points.value.at(-1) ?? null;
  if (channels.length) return { point: null, channels, label: channelsText(channels) };
  return point && performedPoint(point);
}

export function performedPoint(point: PointRef): NamedItem {
  return { point, channels: [], label: pointText(point) };
}

function channelsText(names: readonly string[]): string {
  const more = names.length - 1;
  const first = names[0]!.replaceAll(".", " ");
  return more > 0 ? `${first} and ${more} more` : first;
}
