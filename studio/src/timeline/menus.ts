// Context menus of the timeline: keys, channels, pins, contacts and constraints.

import type { PointConstraintInfo } from "../state/pinsAndContacts";
import { commands, hotkeyOf } from "../state/commands";
import type { MenuItem } from "../controls/menu";
import { chosenKeys, frame, lastFrame, rate } from "../state/view";
import type { ExtrapolationType, Change, HandleType, InterpolationType } from "../wire/messages";
import { footplantItems } from "../controls/footplantMenu";
import { removeConstraint } from "../state/constraints";
import type { Bar } from "./row";
import { keyAt } from "./curve";
import { changed } from "./dragging";
import { pairsOf } from "./trackKeys";
import { chosen, drawnChannels, still } from "./sheetState";
import { doAtOnce, here } from "./changePreview";

const HANDLES: [HandleType, string][] = [
  ["free", "Free (broken)"],
  ["aligned", "Aligned"],
  ["vector", "Vector"],
  ["auto", "Automatic"],
  ["auto_clamped", "Auto clamped"],
  ["flat", "Flat"],
];
const HANDLE_NUMBERS = ["free", "aligned", "auto", "auto_clamped", "vector", "flat"]; // as keys count them
const SEGMENTS: [InterpolationType, string][] = [
  ["bezier", "Bezier"],
  ["linear", "Linear"],
  ["step", "Constant (stepped)"],
];
const BEYOND: [ExtrapolationType, string][] = [
  ["hold", "Constant"],
  ["linear", "Linear"],
  ["cycle", "Cycle"],
  ["cycle_offset", "Cycle with offset"],
  ["mirror", "Mirror"],
];

export function handleItems(): MenuItem[] {
  const now = shared((key) => (key.inKind === key.outKind ? key.inKind : -1));
  return HANDLES.map(([kind, label]) => ({
    label,
    checked: now !== null && HANDLE_NUMBERS[now] === kind,
    run: () =>
      doAtOnce({ change: "SetHandles", ...here(), keys: pairsOf(chosenKeys.peek()), kind }),
  }));
}

export function segmentItems(): MenuItem[] {
  const now = shared((key) => key.after);
  return SEGMENTS.map(([kind, label], number) => ({
    label,
    checked: now === number,
    run: () =>
      doAtOnce({ change: "SetInterpolation", ...here(), keys: pairsOf(chosenKeys.peek()), kind }),
  }));
}

export function beyondItems(): MenuItem[] {
  const channels = actedOn();
  const set = (before: ExtrapolationType | null, after: ExtrapolationType | null) => () => {
    // one side is set by leaving the other as it is, which may differ from channel to channel
    const groups = new Map<string, number[]>();
    for (const channel of channels) {
      const info = still.peek().get(channel)?.beyond ?? ["hold", "hold"];
      const name = [before ?? info[0], after ?? info[1]].join(" ");
      groups.set(name, [...(groups.get(name) ?? []), channel]);
    }
    const changes = [...groups].map(([name, own]): Change => {
      const [first, last] = name.split(" ") as [ExtrapolationType, ExtrapolationType];
      return { change: "SetExtrapolation", ...here(), channels: own, before: first, after: last };
    });
    doAtOnce(...changes);
  };
  const side = (of: (way: ExtrapolationType) => () => void) =>
    BEYOND.map(([way, label]) => ({ label, run: of(way) }));
  return [
    ...side((way) => set(way, way)),
    { label: "Before the first key", line: true, items: side((way) => set(way, null)) },
    { label: "After the last key", items: side((way) => set(null, way)) },
  ];
}

/** Channels of the chosen keys, else those drawn in the graph. */
export function actedOn(): number[] {
  return chosen.peek().size ? [...chosen.peek().keys()] : [...drawnChannels.peek()];
}

export function keyMenu(): MenuItem[] {
  const some = chosenKeys.peek().size > 0;
  return [
    commandItem("keys.insert"),
    commandItem("keys.copy"),
    commandItem("keys.paste"),
    commandItem("keys.duplicate"),
    commandItem("keys.delete"),
    { label: "Handle type", line: true, enabled: some, items: handleItems() },
    { label: "Interpolation mode", enabled: some, items: segmentItems() },
    { label: "Extrapolation", items: beyondItems() },
    { ...commandItem("keys.all"), line: true },
    commandItem("time.frame_all"),
  ];
}

type Hold = { position?: boolean; orientation?: boolean };

export function barMenu(bar: Bar): MenuItem[] {
  const change =
    (start: number, end: number, more: Hold = {}) =>
    () =>
      doAtOnce(changed(bar, start, end, more));
  const now = frame.peek() / rate.peek();
  const whole = lastFrame.peek() / rate.peek();
  return [
    { label: "Go to start", run: () => (frame.value = bar.start * rate.peek()) },
    { label: "Start at this frame", enabled: now < bar.end, run: change(now, bar.end) },
    { label: "End at this frame", enabled: now > bar.start, run: change(bar.start, now) },
    { label: "Over whole take", run: change(0, whole) },
    ...ownItems(bar, change),
  ];
}

type Ranged = (start: number, end: number, more: Hold) => () => void;

function ownItems(bar: Bar, change: Ranged): MenuItem[] {
  if (bar.kind === "footplant") return footplantItems(bar);
  if (bar.kind !== "constraint") return holdItems(bar, change);
  return [
    {
      label: "Remove constraint",
      line: true,
      hotkey: "Delete",
      run: () => removeConstraint(bar.index),
    },
  ];
}

function holdItems(bar: PointConstraintInfo, change: Ranged): MenuItem[] {
  const { kind, index, position, orientation } = bar;
  return [
    {
      label: "Position",
      line: true,
      checked: position,
      enabled: orientation,
      run: change(bar.start, bar.end, { position: !position }),
    },
    {
      label: "Orientation",
      checked: orientation,
      enabled: position,
      run: change(bar.start, bar.end, { orientation: !orientation }),
    },
    {
      label: kind === "pin" ? "Remove pin" : "Remove contact",
      line: true,
      hotkey: "Delete",
      run: () => doAtOnce({ change: "RemoveConstraint", ...here(), index }),
    },
  ];
}

/** A command as an item of a menu. */
export function commandItem(id: string): MenuItem {
  const found = commands().find((each) => each.id === id);
  if (!found) return { label: id, enabled: false };
  return {
    label: found.label,
    hotkey: hotkeyOf(found)?.split(" ")[0],
    enabled: found.enabled?.() ?? true,
    ...(found.checked ? { checked: found.checked() } : {}),
    run: found.run,
  };
}

/** What all chosen keys have in common, or null. */
function shared(of: (key: ReturnType<typeof keyAt>) => number): number | null {
  let found: number | null = null;
  for (const [channel, own] of chosen.peek())
    for (const key of own) {
      const curve = still.peek().get(channel);
      if (!curve) continue;
      const kind = of(keyAt(curve, key));
      if (found !== null && kind !== found) return null;
      found = kind;
    }
  return found;
}
