// The rows of the dope sheet: summary, layers, constraints, joints, groups, channels, and the pins and contacts of joints.

import type { Wish } from "../state/plants";
import type { ConstraintInfo, RigInfo } from "../wire/messages";
import { boundRows, type Barred } from "./boundRows";
import { layerRows, type LayerBar, type LayersAsked } from "./layerRows";

export interface Row {
  id: string; // stays the same while the rig does
  kind: "summary" | "layers" | "layer" | "joint" | "group" | "channel" | "wish";
  label: string;
  depth: number;
  joint: number; // -1 for the summary and layers
  channels: readonly number[]; // with keys, below this row
  open: boolean | null; // null cannot be opened
  wishes: readonly Barred[]; // of a wish row, not overlapping
  layers?: readonly LayerBar[];
}

export interface Asked {
  rig: RigInfo;
  keyed: ReadonlySet<number>; // channels with keys
  wishes: readonly Wish[]; // of this rig and take
  open: ReadonlySet<string>;
  chosen: ReadonlySet<number>; // joints of the selection, shown first
  only: boolean; // nothing but the selection
  layers: LayersAsked;
  constraints: readonly ConstraintInfo[];
}

export function rowsOf(asked: Asked): Row[] {
  const own = channelsByJoint(asked.rig, asked.keyed);
  const wishes = grouped(asked.wishes, (wish) => asked.rig.joints.indexOf(wish.point.joint));
  const all = hierarchy(asked.rig.parents).filter((joint) => own.has(joint) || wishes.has(joint));
  const first = all.filter((joint) => asked.chosen.has(joint));
  const rest = asked.only ? [] : all.filter((joint) => !asked.chosen.has(joint));
  const joints = [...first, ...rest];
  const channels = joints.flatMap((joint) => own.get(joint) ?? []);
  const rows: Row[] = [
    {
      id: "summary",
      kind: "summary",
      label: "All keys",
      depth: 0,
      joint: -1,
      channels,
      open: null,
      wishes: [],
    },
    ...layerRows(asked.layers),
  ];
  joints.forEach((joint, i) => {
    if (i === first.length) rows.push(...boundRows(asked.constraints));
    addJoint(rows, asked, joint, own.get(joint) ?? []);
    addWishes(rows, joint, wishes.get(joint) ?? []);
  });
  if (joints.length === first.length) rows.push(...boundRows(asked.constraints));
  return rows;
}

function addJoint(rows: Row[], asked: Asked, joint: number, channels: number[]): void {
  const { rig } = asked;
  const id = `joint ${joint}`;
  const open = channels.length > 0 ? asked.open.has(id) : null;
  const label = rig.joints[joint] ?? "";
  rows.push({ id, kind: "joint", label, depth: 0, joint, channels, open, wishes: [] });
  if (!open) return;
  const groups = grouped(channels, (channel) => groupOf(rig.channels[channel]?.kind ?? ""));
  for (const [group, members] of groups) {
    const at = `${id} ${group}`;
    const opened = asked.open.has(at);
    rows.push({
      id: at,
      kind: "group",
      label: group,
      depth: 1,
      joint,
      channels: members,
      open: opened,
      wishes: [],
    });
    if (!opened) continue;
    for (const channel of members)
      rows.push({
        id: `channel ${channel}`,
        kind: "channel",
        label: partOf(rig, channel),
        depth: 2,
        joint,
        channels: [channel],
        open: null,
        wishes: [],
      });
  }
}

const BARS = { pin: "pins", contact: "contacts", plant: "plants found" } as const;

function addWishes(rows: Row[], joint: number, wishes: readonly Wish[]): void {
  for (const kind of ["pin", "contact", "plant"] as const)
    lanes(wishes.filter((wish) => wish.kind === kind)).forEach((lane, i) =>
      rows.push({
        id: `wish ${joint} ${kind} ${i}`,
        kind: "wish",
        label: BARS[kind],
        depth: 1,
        joint,
        channels: [],
        open: null,
        wishes: lane,
      }),
    );
}

/** Ranges that overlap lie in rows of their own. */
export function lanes(wishes: readonly Wish[]): Wish[][] {
  const made: Wish[][] = [];
  for (const wish of [...wishes].sort((a, b) => a.start - b.start || a.index - b.index)) {
    const free = made.find((lane) => (lane.at(-1)?.end ?? -Infinity) < wish.start);
    if (free) free.push(wish);
    else made.push([wish]);
  }
  return made;
}

function channelsByJoint(rig: RigInfo, keyed: ReadonlySet<number>): Map<number, number[]> {
  const own = [...rig.channels.keys()].filter((channel) => keyed.has(channel));
  return grouped(own, (channel) => rig.channels[channel]?.joint ?? -1);
}

function grouped<Item, Name>(
  items: Iterable<Item>,
  nameOf: (item: Item) => Name,
): Map<Name, Item[]> {
  const found = new Map<Name, Item[]>();
  for (const item of items) {
    const own = found.get(nameOf(item));
    if (own) own.push(item);
    else found.set(nameOf(item), [item]);
  }
  return found;
}

/** Joints so that each is followed by what hangs on it. */
export function hierarchy(parents: readonly number[]): number[] {
  const children = grouped(parents.keys(), (joint) => parents[joint] as number);
  const order: number[] = [];
  const waiting = [...(children.get(-1) ?? [])].reverse();
  while (waiting.length) {
    const joint = waiting.pop() as number;
    order.push(joint);
    waiting.push(...[...(children.get(joint) ?? [])].reverse());
  }
  return order;
}

/** "rotate" of "rotate_x". */
export function groupOf(kind: string): string {
  return kind.split("_")[0] ?? kind;
}

/** "x" of "rotate_x", or what a weight is called. */
export function partOf(rig: RigInfo, channel: number): string {
  const told = rig.channels[channel];
  return told?.label || told?.kind.split("_")[1] || told?.kind || "";
}

export function channelName(rig: RigInfo, channel: number): string {
  const told = rig.channels[channel];
  if (!told) return "";
  return `${rig.joints[told.joint]} ${groupOf(told.kind)} ${partOf(rig, channel)}`;
}
