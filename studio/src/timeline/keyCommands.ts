// Verbs of keys: take hold, retime, copy, delete, insert, kinds of handles and segments.

import { openMenu } from "../panels/menu";
import { removeWish } from "../panels/wishes";
import { addCommands, type Command } from "../state/commands";
import { chosenKeys, chosenWish, frame, rate, sheet, snap } from "../state/view";
import { chooseAll, chooseFresh, listed } from "./choose";
import { columnFrom, columnsOf } from "./columns";
import { keyAt, keyCount } from "./curve";
import { pairsOf } from "./follow";
import { beyondItems, handleItems, segmentItems } from "./menus";
import { dragCopies, earliest, moveKeys, nearestChosen, scaleKeys } from "./moveKeys";
import { hold, pointer } from "./pointer";
import { chosenJoints, drawnChannels, rig, still, toTime, told } from "./shown";
import { doAtOnce, handIsFree, here } from "./sliding";

const some = () => chosenKeys.value.size > 0;
const graph = () => sheet.peek() === "graph";

/** Copied keys by channel and time, so that they are found again after other edits. */
let copied: { take: string; keys: [channel: number, time: number][] } | null = null;

function takeHold(made: typeof moveKeys): void {
  const anchor = nearestChosen(pointer.x, pointer.y, graph());
  if (anchor) hold(made(pointer.x, pointer.y, anchor, graph()));
}

function removeChosen(): void {
  const wish = chosenWish.peek();
  if (chosenKeys.peek().size)
    doAtOnce({ change: "DeleteKeys", ...here(), keys: pairsOf(chosenKeys.peek()) });
  else if (wish) removeWish(wish);
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
  doAtOnce({ change: "CopyKeys", ...here(), keys, time: (now - whole) / rate.peek() });
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
    enabled: () => (told.value?.keyed ?? false) && handIsFree() && enabled(),
    run,
  };
}

const always = () => true;

export function addKeyCommands(): void {
  addCommands([
    verb("move", "Move keys", { blender: "G", maya: "W" }, () => takeHold(moveKeys)),
    verb("scale", "Scale keys in time about the playhead", { blender: "S", maya: "R" }, () =>
      takeHold(scaleKeys),
    ),
    verb("duplicate", "Copy keys and move them", { blender: "Shift+D", maya: "Shift+D" }, () =>
      hold(dragCopies(pointer.x, pointer.y)),
    ),
    verb("copy", "Copy keys", "Ctrl+C", copy),
    verb("paste", "Paste keys at the playhead", "Ctrl+V", paste, () => copied?.take === takeHere()),
    {
      ...verb("delete", "Delete keys", { blender: "X Delete", maya: "Delete" }, removeChosen),
      enabled: () => handIsFree() && (some() || chosenWish.value !== null),
    },
    verb("insert", "Insert keys at the playhead", { blender: "I", maya: "S" }, insert, always),
    verb(
      "all",
      "Choose all keys",
      { blender: "Ctrl+A A", maya: "Ctrl+A" },
      () => chooseAll(graph() ? drawnChannels.peek() : listed()),
      always,
    ),
    verb(
      "none",
      "Choose no keys",
      { blender: "Alt+A Escape", maya: "Escape" },
      () => (chosenKeys.value = new Set()),
    ),
    verb("invert", "Choose the other keys", "Ctrl+I", invert, always),
    verb("handles", "Kind of handles…", "V", menuOf(handleItems)),
    verb("interpolation", "Interpolation…", "T", menuOf(segmentItems)),
    verb("beyond", "Beyond first and last key…", "Shift+E", menuOf(beyondItems), always),
  ]);
}
