// Commands of the sound under the timeline.

import type { Command } from "../state/commands";
import { documentState } from "../state/document";
import { muteSound, removeSound, scrubs, sound } from "../state/sound";
import { line } from "../wire/socket";
import { chooseSound } from "./files";

const there = () => line.value === "open" && sound.value !== null;

export const SOUND: Command[] = [
  {
    id: "sound.add",
    label: "Add sound…",
    group: "File",
    enabled: () => line.value === "open" && documentState.value !== null,
    run: chooseSound,
  },
  {
    id: "sound.mute",
    label: "Mute sound",
    group: "File",
    enabled: there,
    checked: () => sound.value?.muted ?? false,
    run: () => muteSound(!sound.peek()?.muted),
  },
  { id: "sound.remove", label: "Remove sound", group: "File", enabled: there, run: removeSound },
  {
    id: "sound.scrubs",
    label: "Sound while scrubbing",
    group: "Time",
    checked: () => scrubs.value,
    run: () => (scrubs.value = !scrubs.peek()),
  },
];
