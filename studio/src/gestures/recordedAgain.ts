// A kept recording, opened for review: its layer is made again with another period, shape or start.

import { batch, effect } from "@preact/signals-core";
import { takeOf, welcome } from "../state/document";
import {
  beginInteraction,
  interaction,
  leaveForReview,
  mayReturn,
  setInteractionOptions,
  type OptionValues,
} from "../state/interaction";
import { lastSeen, recording } from "../state/recording";
import { traitsOf } from "../state/toolTraits";
import { character, chosenChannels, frame, options, points, rate, take, tool } from "../state/view";
import { activeGesture } from "../viewport/activeGesture";
import type { RecordingInfo } from "../wire/messages";
import { mayEdit } from "../wire/role";

/** Opens a recording as it was after the acting: choices, the cut, Keep or Discard. */
export function openRecording(info: RecordingInfo): void {
  if (!mayEdit() || !takeOf(info.character, info.take)) return;
  activeGesture.peek()?.cancel();
  tool.value = info.tool;
  batch(() => {
    character.value = info.character;
    take.value = info.take;
  });
  chosenChannels.value = new Set();
  if (info.point) points.value = [info.point];
  const own = { ...defaults(info.tool), ...info.options };
  const isTake = traitsOf(info.tool).makesTakes; // made again by the panel: it shows the options
  if (isTake) options.value = { ...options.peek(), [info.tool]: own };
  const { point, channels, index } = info;
  const id = beginInteraction(info.tool, point, frame.peek() / rate.peek(), {
    performed: { point, channels },
    recording: index,
  });
  setInteractionOptions(isTake ? {} : own);
  lastSeen.value = null;
  leaveForReview();
  const forget = effect(() => {
    if (interaction.value?.id === id)
      recording.value = { phase: "review", item: info.item, device: info.device };
    if (interaction.value?.id === id || mayReturn(id)) return;
    queueMicrotask(() => forget());
    if (recording.peek()?.phase === "review") recording.value = null;
  });
}

/** Options of the panel do not count where the recording has its own. */
function defaults(name: string): OptionValues {
  const known = welcome.peek()?.tools.find((each) => each.name === name)?.options ?? [];
  return Object.fromEntries(known.map((each) => [each.name, each.default]));
}
