// The menu of recording: device, what is performed, count-in, metronome.

import type { MenuItem } from "../controls/menu";
import { sentence } from "../controls/text";
import { capture, isCapture, loadCapture } from "../devices/captureFile";
import { chosenDevice, deviceNow, DEVICES, pathDevice, type DeviceName } from "../devices/registry";
import { rigOf } from "../state/document";
import { toast } from "../state/receive";
import { countIn, metronome, MOST_BEATS } from "../state/recording";
import { character, chosenChannels, points } from "../state/view";
import { groupOf, partOf } from "./rows";

export function recordMenu(): MenuItem[] {
  return [
    { label: "Device", items: deviceItems() },
    ...captureItems(),
    { label: "Perform", items: itemItems() },
    { label: "Count-in", items: beatItems() },
    { label: "Metronome", items: metronomeItems() },
  ];
}

function deviceItems(): MenuItem[] {
  const now = deviceNow();
  const items = (Object.keys(DEVICES) as DeviceName[]).map((name) => ({
    label: DEVICES[name].label,
    checked: DEVICES[name] === now,
    enabled: DEVICES[name].available() || name === "path",
    run: () => {
      if (name === "path") choosePath();
      else chosenDevice.value = name;
    },
  }));
  return items;
}

/** The joint whose path is played, where the device is a capture. */
function captureItems(): MenuItem[] {
  const now = capture.value;
  if (!now || deviceNow() !== pathDevice) return [];
  const items = now.joints.map((joint) => ({
    label: joint,
    checked: joint === now.joint,
    run: () => void loadPath(now.file, joint),
  }));
  return [{ label: `Joint of ${now.file.name}`, items }];
}

function choosePath(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,.csv,.txt,.bvh,.glb";
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void loadPath(file);
  });
  input.click();
}

async function loadPath(file: File, joint = ""): Promise<void> {
  try {
    if (isCapture(file.name)) await loadCapture(pathDevice, file, joint);
    else {
      pathDevice.load(file.name, await file.text());
      capture.value = null;
    }
    chosenDevice.value = "path";
    toast(`Record now plays the path of ${capture.value?.joint ?? file.name}.`, "info");
  } catch (error) {
    toast(`${file.name}: ${(error as Error).message}`, "error");
  }
}

/** The point that acts, the channels of its joint, and those without a place: weights and custom ones. */
function itemItems(): MenuItem[] {
  const rig = rigOf(character.value);
  const point = points.value.at(-1);
  if (!rig) return [];
  const joint = rig.joints.indexOf(point?.joint ?? "");
  const all = rig.channels.map((info, channel) => ({ info, channel }));
  const own = all.filter(({ info }) => info.joint === joint && !isPlaceless(info.kind));
  const others = all.filter(({ info }) => isPlaceless(info.kind));
  const item = ({ channel }: { channel: number }, label: string, line: boolean): MenuItem => ({
    label,
    line,
    checked: chosenChannels.value.has(channel),
    run: () => (chosenChannels.value = new Set([channel])),
  });
  return [
    ...(point
      ? [
          {
            label: `${point.joint} in space`,
            checked: chosenChannels.value.size === 0,
            run: () => (chosenChannels.value = new Set<number>()),
          },
        ]
      : [{ label: "Select a point first", enabled: false }]),
    ...own.map((each, i) =>
      item(each, sentence(`${groupOf(each.info.kind)} ${partOf(rig, each.channel)}`), i === 0),
    ),
    ...others.map((each, i) =>
      item(each, `${rig.joints[each.info.joint]} ${partOf(rig, each.channel)}`, i === 0),
    ),
  ];
}

function isPlaceless(kind: string): boolean {
  return kind === "weight" || kind === "custom";
}

function beatItems(): MenuItem[] {
  return Array.from({ length: MOST_BEATS + 1 }, (_, beats) => ({
    label: beats === 0 ? "None" : `${beats} ${beats === 1 ? "beat" : "beats"}`,
    checked: countIn.value === beats,
    run: () => (countIn.value = beats),
  }));
}

function metronomeItems(): MenuItem[] {
  const labels = { off: "Off", "count-in": "Count-in only", always: "Always" } as const;
  return (["off", "count-in", "always"] as const).map((each) => ({
    label: labels[each],
    checked: metronome.value === each,
    run: () => (metronome.value = each),
  }));
}
