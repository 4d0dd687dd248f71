// Commands on keys: move, scale, copy, delete, insert, handle types and interpolation.

import { openMenu } from "../controls/menu";
import { removeSelected } from "../state/pointConstraints";
import { addCommands, type Command } from "../state/commands";
import { chosenKeys, selectedConstraint, frame, rate, sheet, snap } from "../state/view";
import { chooseAll, chooseFresh, listed } from "./keySelection";
import { columnFrom, columnsOf } from "./columns";
import { keyAt, keyCount } from "./curve";
import { pairsOf } from "./trackKeys";
import { beyondItems, handleItems, segmentItems } from "./menus";
import { dragCopies, earliest, moveKeys, nearestChosen, scaleKeys } from "./moveKeys";
import { hold, pointer } from "./pointer";
import { chosenJoints, drawnChannels, rig, still, toTime, takeInfo } from "./sheetState";
import { doAtOnce, isInteractionFree, here } from "./changePreview";

const some = () => chosenKeys.value.size > 0;
const graph = () => sheet.peek() === "graph";

/** Copied keys by channel and time, so that they are found again after other edits. */
let copied: { take: string; keys: [channel: number, time: number][] } | null = null;

function takeHold(made: typeof moveKeys): void {
  const anchor = nearestChosen(pointer.x, pointer.y, graph());
  if (anchor) hold(made(pointer.x, pointer.y, anchor, graph()));
}

function removeChosen(): void {
  const pointConstraint = selectedConstraint.peek();
  if (chosenKeys.peek().size)
    doAtOnce({ change: "DeleteKeys", ...here(), keys: pairsOf(chosenKeys.peek()) });
  else if (pointConstraint) removeSelected(pointConstraint);
}

/** On the selection; in the graph on the curves shown; on everything if nothing is selected. */
function insert(): void {
  const now = snap.peek() ? Math.round(frame.peek()) : frame.peek();
  const joints = chosenJoints.peek();
  const own = (rig.peek()?.channels ?? []).flatMap((channel, i) =>
    joints.has(channel.joint) ? [i] : [],
  );
  const channels = graph() && drawnChannels.peek().length ? [...drawnChannels.peek()] : own;
  chooseFresh();
  doAtOnce({ change: "AddKeys", ...here(), channels, time: toTime(now) });
}

function copy(): void {
  copied = {
    take: takeHere(),
    keys: pairsOf(chosenKeys.peek()).flatMap(([channel, key]) => {
      const curve = still.peek().get(channel);
      return curve ? [[channel, keyAt(curve, key).time] as [number, number]] : [];
    }),
  };
}

/** The earliest copied key comes to the playhead. */
function paste(): void {
  if (!copied) return;
  const keys = copied.keys.flatMap(([channel, time]) => {
    const columns = columnsOf([channel], still.peek());
    const key = columnFrom(columns, time - 1e-4);
    return Math.abs((columns.times[key] ?? Infinity) - time) < 2e-4
      ? [[channel, key] as [number, number]]
      : [];
  });
  if (!keys.length) return;
  const now = snap.peek() ? Math.round(frame.peek()) : frame.peek();
  const first = earliest(keys);
  const whole = Math.abs(first - Math.round(first)) < 1e-3 ? Math.round(first) : first;
  chooseFresh();
  doAtOnce({
    change: "CopyKeys",
    ...here(),
    keys,
    time: (now - whole) / rate.peek(),
    pasted: true,
  });
}

function takeHere(): string {
  return JSON.stringify(here());
}

/** The selection turned round: what was not chosen is. */
function invert(): void {
  const chosen = chosenKeys.peek();
  const found = new Set<string>();
  for (const channel of graph() ? drawnChannels.peek() : listed()) {
    const curve = still.peek().get(channel);
    for (let key = 0; curve && key < keyCount(curve); key++)
      if (!chosen.has(`${channel}/${key}`)) found.add(`${channel}/${key}`);
  }
  chosenKeys.value = found;
}

const menuOf = (items: () => ReturnType<typeof handleItems>) => () =>
  openMenu(items(), pointer.pageX, pointer.pageY);

function verb(
  id: string,
  label: string,
  hotkey: Command["hotkey"],
  run: () => void,
  enabled = some,
): Command {
  return {
    id: `keys.${id}`,
    label,
    group: "Keys",
    where: "timeline",
    ...(hotkey ? { hotkey } : {}),
    enabled: () => (takeInfo.value?.keyed ?? false) && isInteractionFree() && enabled(),
    run,
  };
}

const always = () => true;

export function addKeyCommands(): void {
  addCommands([
    verb("move", "Move keys", { blender: "G", maya: "W" }, () => takeHold(moveKeys)),
    verb("scale", "Scale keys", { blender: "S", maya: "R" }, () => takeHold(scaleKeys)),
    verb("duplicate", "Duplicate keys", { blender: "Shift+D", maya: "Shift+D" }, () =>
      hold(dragCopies(pointer.x, pointer.y)),
    ),
    verb("copy", "Copy keys", "Ctrl+C", copy),
    verb("paste", "Paste keys", "Ctrl+V", paste, () => copied?.take === takeHere()),
    {
      ...verb("delete", "Delete keys", { blender: "X Delete", maya: "Delete" }, removeChosen),
      enabled: () => isInteractionFree() && (some() || selectedConstraint.value !== null),
    },
    verb("insert", "Insert keyframes", { blender: "I", maya: "S" }, insert, always),
    verb(
      "all",
      "Select all keys",
      { blender: "Ctrl+A A", maya: "Ctrl+A" },
      () => chooseAll(graph() ? drawnChannels.peek() : listed()),
      always,
    ),
    verb(
      "none",
      "Deselect all keys",
      { blender: "Alt+A Escape", maya: "Escape" },
      () => (chosenKeys.value = new Set()),
    ),
    verb("invert", "Invert key selection", "Ctrl+I", invert, always),
    verb("handles", "Handle type…", "V", menuOf(handleItems)),
    verb("interpolation", "Interpolation mode…", "T", menuOf(segmentItems)),
    verb("beyond", "Extrapolation…", "Shift+E", menuOf(beyondItems), always),
  ]);
}
