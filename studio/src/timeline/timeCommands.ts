// Commands of time: play, step, jump to keys and ends, playback range.

import { addCommands, type Command } from "../state/commands";
import {
  chosenKeys,
  frame,
  ghosts,
  lastFrame,
  loopMode,
  playing,
  playRange,
  rate,
  sheet,
  snap,
} from "../state/view";
import { pause } from "../state/playback";
import { columnsOf } from "./columns";
import { keyAt } from "./curve";
import { setRange } from "./dragging";
import { frameAll, frameSelected } from "./framing";
import { addMarker } from "./markers";
import { pairsOf } from "./trackKeys";
import { chosenJoints, openRows, rig, selectedOnly, still } from "./sheetState";

const LOOPS = ["loop", "once", "pingpong"] as const;

export function nextLoop(): void {
  loopMode.value = LOOPS[(LOOPS.indexOf(loopMode.peek()) + 1) % LOOPS.length] ?? "loop";
}

function playOrPause(): void {
  if (playing.peek()) pause();
  else playing.value = true;
}

function step(by: number): void {
  const now = frame.peek();
  const next = by > 0 ? Math.floor(now + 1e-6) + by : Math.ceil(now - 1e-6) + by;
  frame.value = Math.min(Math.max(next, 0), lastFrame.peek());
}

/** To the next moment with keys of the selection, or of anything if nothing is selected. */
function stepKey(by: 1 | -1): void {
  const joints = chosenJoints.peek();
  const all = [...still.peek().keys()];
  const own = all.filter((channel) => joints.has(rig.peek()?.channels[channel]?.joint ?? -1));
  const { times } = columnsOf(own.length ? own : all, still.peek());
  const frames = [...times].map((time) => time * rate.peek());
  const now = frame.peek();
  const found =
    by > 0
      ? frames.find((each) => each > now + 0.01)
      : frames.findLast((each) => each < now - 0.01);
  if (found !== undefined) frame.value = tidy(found);
}

/** Key times come as float32: 11.9999999 is frame 12. */
function tidy(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-3 ? whole : value;
}

/** From the first to the last of the selected keys. */
function rangeOfKeys(): void {
  const frames = pairsOf(chosenKeys.peek()).flatMap(([channel, key]) => {
    const curve = still.peek().get(channel);
    return curve ? [keyAt(curve, key).time * rate.peek()] : [];
  });
  if (frames.length) setRange(Math.min(...frames), Math.max(...frames));
}

const TIME: Command[] = [
  {
    id: "time.play",
    label: "Play or pause",
    group: "Time",
    hotkey: { blender: "Space", maya: "Alt+V" },
    run: playOrPause,
  },
  {
    id: "time.previous",
    label: "Previous frame",
    group: "Time",
    hotkey: { blender: "ArrowLeft", maya: "Alt+, ArrowLeft" },
    run: () => step(-1),
  },
  {
    id: "time.next",
    label: "Next frame",
    group: "Time",
    hotkey: { blender: "ArrowRight", maya: "Alt+. ArrowRight" },
    run: () => step(1),
  },
  {
    id: "time.previous_key",
    label: "Previous key",
    group: "Time",
    hotkey: { blender: "ArrowDown", maya: "," },
    run: () => stepKey(-1),
  },
  {
    id: "time.next_key",
    label: "Next key",
    group: "Time",
    hotkey: { blender: "ArrowUp", maya: "." },
    run: () => stepKey(1),
  },
  {
    id: "time.first",
    label: "First frame",
    group: "Time",
    hotkey: { blender: "Shift+ArrowLeft", maya: "Alt+Shift+V Shift+ArrowLeft" },
    run: () => (frame.value = playRange.peek()[0]),
  },
  {
    id: "time.last",
    label: "Last frame",
    group: "Time",
    hotkey: "Shift+ArrowRight",
    run: () => (frame.value = playRange.peek()[1]),
  },
  { id: "time.loop", label: "Loop mode", group: "Time", run: nextLoop },
  {
    id: "time.range_start",
    label: "Set range start",
    group: "Time",
    hotkey: { blender: "Ctrl+Home" },
    where: "timeline",
    run: () => setRange(frame.peek(), playRange.peek()[1]),
  },
  {
    id: "time.range_end",
    label: "Set range end",
    group: "Time",
    hotkey: { blender: "Ctrl+End" },
    where: "timeline",
    run: () => setRange(playRange.peek()[0], frame.peek()),
  },
  {
    id: "time.range_keys",
    label: "Set range to selected keys",
    group: "Time",
    hotkey: { blender: "Ctrl+Alt+P" },
    where: "timeline",
    enabled: () => chosenKeys.value.size > 0,
    run: rangeOfKeys,
  },
  {
    id: "time.marker",
    label: "Add marker…",
    group: "Time",
    hotkey: { blender: "M" },
    where: "timeline",
    run: () => addMarker(),
  },
  {
    id: "time.range_all",
    label: "Reset range",
    group: "Time",
    run: () => setRange(0, lastFrame.peek()),
  },
  {
    id: "time.snap",
    label: "Snap to frames",
    group: "Time",
    checked: () => snap.value,
    run: () => (snap.value = !snap.peek()),
  },
  {
    id: "time.frame_all",
    label: "View all",
    group: "Time",
    hotkey: { blender: "Home", maya: "A Home" },
    where: "timeline",
    run: frameAll,
  },
  {
    id: "time.frame_selected",
    label: "View selected",
    group: "Time",
    hotkey: { blender: "Numpad. F", maya: "F" },
    where: "timeline",
    run: frameSelected,
  },
  {
    id: "time.sheet",
    label: "Toggle dope sheet / graph editor",
    group: "Time",
    hotkey: "Shift+F6",
    where: "timeline",
    run: () => (sheet.value = sheet.peek() === "dope" ? "graph" : "dope"),
  },
  {
    id: "time.selected_only",
    label: "Only selected",
    group: "Time",
    checked: () => selectedOnly.value,
    run: () => (selectedOnly.value = !selectedOnly.peek()),
  },
  {
    id: "time.fold",
    label: "Collapse all",
    group: "Time",
    hotkey: { blender: "Ctrl+Numpad-" },
    where: "timeline",
    run: () => (openRows.value = new Set()),
  },
];

export function addTimeCommands(): void {
  addCommands(TIME);
}

export function toggleGhosts(): void {
  ghosts.value = { ...ghosts.peek(), on: !ghosts.peek().on };
}
