// A kept recording, opened for review: its layer is made again with another period, shape or start.

import { effect } from "@preact/signals-core";
import { takeOf, welcome } from "../state/document";
import {
  beginInteraction,
  interaction,
  leaveOpen,
  setInteractionOptions,
  type OptionValues,
} from "../state/interaction";
import { lastSeen, recording } from "../state/recording";
import { character, chosenChannels, frame, points, rate, take, tool } from "../state/view";
import { activeGesture } from "../viewport/activeGesture";
import type { RecordingInfo } from "../wire/messages";
import { mayEdit } from "../wire/role";

/** Opens a recording as it was after the acting: choices, the cut, Keep or Discard. */
export function openRecording(info: RecordingInfo): void {
  if (!mayEdit() || !takeOf(info.character, info.take)) return;
  activeGesture.peek()?.cancel();
  tool.value = info.tool;
  character.value = info.character;
  take.value = info.take;
  chosenChannels.value = new Set();
  if (info.point) points.value = [info.point];
  const { point, channels, index } = info;
  const id = beginInteraction(info.tool, point, frame.peek() / rate.peek(), {
    performed: { point, channels },
    recording: index,
  });
  setInteractionOptions({ ...defaults(info.tool), ...info.options });
  lastSeen.value = null;
  leaveOpen();
  recording.value = { phase: "review", item: info.item, device: info.device };
  const forget = effect(() => {
    if (interaction.value?.id === id) return;
    queueMicrotask(() => forget());
    if (recording.peek()?.phase === "review") recording.value = null;
  });
}

/** Options of the panel do not count: the recording has its own. */
function defaults(name: string): OptionValues {
  const known = welcome.peek()?.tools.find((each) => each.name === name)?.options ?? [];
  return Object.fromEntries(known.map((each) => [each.name, each.default]));
}
