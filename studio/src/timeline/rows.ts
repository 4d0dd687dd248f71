// The rows of the dope sheet: summary, events, sections, layers, constraints, joints, groups, channels, and the pins and contacts of joints.

import type { PointConstraint } from "../state/footplants";
import type { ConstraintInfo, RigInfo } from "../wire/messages";
import { constraintRows } from "./constraintRows";
import { layerRows, type LayersInput } from "./layerRows";
import type { EventMark, ProposalMark, Row, SectionBar } from "./row";

export interface RowsInput {
  rig: RigInfo;
  keyed: ReadonlySet<number>; // channels with keys
  bars: readonly PointConstraint[]; // of this rig and take
  open: ReadonlySet<string>;
  chosen: ReadonlySet<number>; // joints of the selection
  only: boolean; // nothing but the selection
  layers: LayersInput;
  sections: readonly SectionBar[];
  events: readonly EventMark[];
  proposals: readonly ProposalMark[];
  constraints: readonly ConstraintInfo[];
}

export function rowsOf(input: RowsInput): Row[] {
  const own = channelsByJoint(input.rig, input.keyed);
  const bars = grouped(input.bars, (pointConstraint) =>
    input.rig.joints.indexOf(pointConstraint.point.joint),
  );
  const all = hierarchy(input.rig.parents).filter((joint) => own.has(joint) || bars.has(joint));
  const joints = input.only ? all.filter((joint) => input.chosen.has(joint)) : all;
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
      bars: [],
    },
    ...eventRows(input),
    ...sectionRows(input.sections),
    ...layerRows(input.layers),
  ];
  rows.push(...constraintRows(input.constraints));
  joints.forEach((joint) => {
    addJoint(rows, input, joint, own.get(joint) ?? []);
    addBarRows(rows, joint, bars.get(joint) ?? []);
  });
  return rows;
}

const PLAIN = { depth: 0, joint: -1, channels: [], open: null, bars: [] };

function eventRows({ events, proposals }: RowsInput): Row[] {
  if (events.length + proposals.length === 0) return [];
  return [{ ...PLAIN, id: "events", kind: "events", label: "Events", events, proposals }];
}

function sectionRows(sections: readonly SectionBar[]): Row[] {
  if (sections.length === 0) return [];
  return [{ ...PLAIN, id: "sections", kind: "sections", label: "Sections", sections }];
}

function addJoint(rows: Row[], input: RowsInput, joint: number, channels: number[]): void {
  const { rig } = input;
  const id = `joint ${joint}`;
  const open = channels.length > 0 ? input.open.has(id) : null;
  const label = rig.joints[joint] ?? "";
  rows.push({ id, kind: "joint", label, depth: 0, joint, channels, open, bars: [] });
  if (!open) return;
  const groups = grouped(channels, (channel) => groupOf(rig.channels[channel]?.kind ?? ""));
  for (const [group, members] of groups) {
    const at = `${id} ${group}`;
    const opened = input.open.has(at);
    rows.push({
      id: at,
      kind: "group",
      label: group,
      depth: 1,
      joint,
      channels: members,
      open: opened,
      bars: [],
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
        bars: [],
      });
  }
}

const BARS = { pin: "pins", contact: "contacts", footplant: "footplants (detected)" } as const;

function addBarRows(rows: Row[], joint: number, bars: readonly PointConstraint[]): void {
  for (const kind of ["pin", "contact", "footplant"] as const)
    lanes(bars.filter((pointConstraint) => pointConstraint.kind === kind)).forEach((lane, i) =>
      rows.push({
        id: `bar ${joint} ${kind} ${i}`,
        kind: "bars",
        label: BARS[kind],
        depth: 1,
        joint,
        channels: [],
        open: null,
        bars: lane,
      }),
    );
}

/** Ranges that overlap lie in rows of their own. */
export function lanes(bars: readonly PointConstraint[]): PointConstraint[][] {
  const made: PointConstraint[][] = [];
  for (const pointConstraint of [...bars].sort((a, b) => a.start - b.start || a.index - b.index)) {
    const free = made.find((lane) => (lane.at(-1)?.end ?? -Infinity) < pointConstraint.start);
    if (free) free.push(pointConstraint);
    else made.push([pointConstraint]);
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
  const info = rig.channels[channel];
  return info?.label || info?.kind.split("_")[1] || info?.kind || "";
}

export function channelName(rig: RigInfo, channel: number): string {
  const info = rig.channels[channel];
  if (!info) return "";
  return `${rig.joints[info.joint]} ${groupOf(info.kind)} ${partOf(rig, channel)}`;
}
