// State of the sheets: keys, rows, curves, pins and contacts of the shown take.

import { pointConstraints as everyPointConstraint } from "../state/pinsAndContacts";
import { computed, signal } from "@preact/signals-core";
import {
  sceneInfo,
  keys,
  liveKeys,
  rigOf,
  takeName,
  takeOf,
  type ChannelKeys,
} from "../state/document";
import { activityHere, draggedEvent, eventText } from "../state/activities";
import { constraintsHere } from "../state/constraints";
import { interaction } from "../state/interaction";
import { layersHere } from "../state/layers";
import { proposals } from "../state/proposedEvents";
import { character, chosenChannels, chosenKeys, kept, points, rate, take } from "../state/view";
import { footplantsHere, type PointConstraint } from "../state/footplants";
import type { TimeAxis, ValueAxis } from "./axis";
import { columnsOf, type Columns } from "./columns";
import { byChannel, follow, type Chosen } from "./trackKeys";
import type { EventMark, ProposalMark, Row, SectionBar } from "./row";
import { groupOf, rowsOf } from "./rows";

export const axis = signal<TimeAxis>({ start: 0, perFrame: 8 });
export const values = signal<ValueAxis>({ top: 1, perUnit: 50 });
export const size = signal({ width: 0, height: 0 }); // px, of ruler, names and sheet together
export const scroll = signal(0); // px, of the rows
export const openRows = signal<ReadonlySet<string>>(new Set());
/** Whether the rows of layers are open; null until somebody opened or folded them. */
export const layersOpen = signal<boolean | null>(null);
export const selectedOnly = kept("selectedOnly", false);
export const hiddenChannels = signal<ReadonlySet<number>>(new Set());
export const channelFilter = signal("");
export const normalised = kept("normalised", false);
/** The range of a bar during a drag, until the document has it. */
export const draggedBar = signal<{
  kind: string;
  index: number;
  start: number;
  end: number;
} | null>(null);
/** The selection box, px of the sheet. */
export const box = signal<{ x0: number; y0: number; x1: number; y1: number } | null>(null);
/** What is under the pointer, as text, and where; `key` is highlighted. */
export interface Hover {
  text: string;
  x: number;
  y: number;
  column?: { row: string; time: number };
  key?: { channel: number; key: number; side: number | null };
  channel?: number;
  bar?: { kind: string; index: number; end: "start" | "end" | "middle" };
  layer?: number;
  event?: number;
  proposal?: string; // its key
}
export const hover = signal<Hover | null>(null);
/** How far a drag has come, shown beside the pointer. */
export const readout = signal<{ text: string; x: number; y: number } | null>(null);

export const rig = computed(() => rigOf(character.value));
export const takeInfo = computed(() => takeOf(character.value, take.value));
const place = computed(() => takeName(character.value, take.value));
const NONE: ReadonlyMap<number, ChannelKeys> = new Map();

export const still = computed(() => keys.value.get(place.value) ?? NONE);
export const live = computed(() => liveKeys.value.get(place.value) ?? NONE);
/** Keys with previews of interactions over them. */
export const shown = computed(() =>
  live.value.size ? new Map([...still.value, ...live.value]) : still.value,
);

export const chosen = computed<Chosen>(() => byChannel(chosenKeys.value));
/** Of the last edit in the viewport: the channels that it changed, and curves before it. */
export const changedChannels = signal<readonly number[]>([]);
export const before = signal<ReadonlyMap<number, ChannelKeys>>(NONE);

/** The selection among the keys that are shown: a preview may have moved them past others. */
export const chosenShown = computed<Chosen>(() => {
  const found = new Map(chosen.value);
  for (const [channel, own] of chosen.value) {
    const before = still.value.get(channel);
    const after = live.value.get(channel);
    if (!before || !after) continue;
    const { now } = follow(before.rows, after.rows, own);
    found.set(channel, new Set([...own].map((key) => now[key] ?? -1).filter((key) => key >= 0)));
  }
  return found;
});

export const chosenJoints = computed(() => {
  const names = points.value.filter(
    (each) => (each.character || character.value) === character.value,
  );
  return new Set(
    names.map((each) => rig.value?.joints.indexOf(each.joint) ?? -1).filter((joint) => joint >= 0),
  );
});

export const pointConstraints = computed<readonly PointConstraint[]>(() => {
  const first = sceneInfo.value?.rigs[0]?.name;
  return [...everyPointConstraint.value, ...footplantsHere()].filter(
    (pointConstraint) =>
      (pointConstraint.point.character || first) === character.value &&
      (pointConstraint.take === "" || pointConstraint.take === take.value),
  );
});

const keyedChannels = computed(() => new Set(still.value.keys()));

/** Sections of the shown take, each to the next one. */
export const sections = computed<SectionBar[]>(() => {
  const { sections: own = [], duration = 0 } = takeInfo.value ?? {};
  const end = (i: number) => Math.min(own[i + 1]?.start ?? duration, duration);
  return own.map((each, i) => ({ ...each, end: Math.max(end(i), each.start) }));
});

/** Events of the shown take's activity; a dragged one is where it is dragged to. */
export const events = computed<EventMark[]>(() => {
  const here = activityHere.value;
  const dragged = draggedEvent.value;
  return (here?.events ?? []).map(({ time, elements }, index) => ({
    index,
    name: eventText(here!, index),
    time: dragged?.index === index ? dragged.time : time,
    elements,
  }));
});

/** Detected events of the shown take, where they are dragged to. */
export const proposalMarks = computed<ProposalMark[]>(() =>
  proposals.value.map(({ key, event, confidence }) => ({
    key,
    name: event.name,
    time: event.time,
    confidence,
  })),
);

export const rows = computed<Row[]>(() =>
  rig.value
    ? rowsOf({
        rig: rig.value,
        keyed: keyedChannels.value,
        bars: pointConstraints.value,
        open: openRows.value,
        chosen: chosenJoints.value,
        only: selectedOnly.value && chosenJoints.value.size > 0,
        sections: sections.value,
        events: events.value,
        proposals: proposalMarks.value,
        layers: { layers: layersHere(), open: layersOpen.value },
        constraints: constraintsHere().filter((each) => each.character === character.value),
      })
    : [],
);

const made = new WeakMap<ReadonlyMap<number, ChannelKeys>, Map<string, Columns>>();

export function columnsFor(row: Row): Columns {
  const from = shown.value;
  let own = made.get(from);
  if (!own) made.set(from, (own = new Map()));
  const name = `${row.id} ${row.channels.length}`;
  let columns = own.get(name);
  if (!columns) own.set(name, (columns = columnsOf(row.channels, from)));
  return columns;
}

/** Channels of the selection that have keys; of the first joint with keys if nothing is selected. */
export const listedChannels = computed<readonly number[]>(() => {
  const own = rig.value;
  if (!own) return [];
  const keyed = [...keyedChannels.value].sort((a, b) => a - b);
  if (chosenChannels.value.size)
    return keyed.filter((channel) => chosenChannels.value.has(channel));
  const jointOf = (channel: number) => own.channels[channel]?.joint ?? -1;
  const mine = keyed.filter((channel) => chosenJoints.value.has(jointOf(channel)));
  const first = keyed[0] === undefined ? -1 : jointOf(keyed[0]);
  return mine.length ? mine : keyed.filter((channel) => jointOf(channel) === first);
});

const MOST_MOVED = 5; // curves added while a drag in the viewport moves them

/** The listed ones, and the nearest joints above that a drag in the viewport is moving. */
export const seenChannels = computed<readonly number[]>(() => {
  const own = rig.value;
  const listed = listedChannels.value;
  if (!own || live.value.size === 0 || interaction.value?.tool === "change")
    return [...listed, ...changedChannels.value.filter((each) => !listed.includes(each))];
  const above: number[] = [];
  let joint = own.channels[listed[0] ?? -1]?.joint ?? -1;
  while (joint >= 0) above.push((joint = own.parents[joint] ?? -1));
  const rank = (channel: number) => above.indexOf(own.channels[channel]?.joint ?? -1);
  const moved = [...live.value.keys()].filter(
    (channel) => rank(channel) >= 0 && !listed.includes(channel),
  );
  return [...listed, ...moved.sort((a, b) => rank(a) - rank(b) || a - b).slice(0, MOST_MOVED)];
});

/** Channels whose curves are drawn. */
export const drawnChannels = computed(() =>
  seenChannels.value.filter((channel) => !hiddenChannels.value.has(channel)),
);

/** What values are multiplied with for people to read: degrees for turns, the scene's unit for lengths. */
export function unitOf(channel: number): { factor: number; sign: string; kind: string } {
  const group = groupOf(rig.value?.channels[channel]?.kind ?? "");
  if (group === "rotate") return { factor: 180 / Math.PI, sign: "°", kind: "turn" };
  if (group === "translate") {
    const unit = sceneInfo.value?.unit ?? "m";
    return { factor: unit === "cm" ? 100 : 1, sign: ` ${unit}`, kind: "length" };
  }
  return { factor: 1, sign: "", kind: group };
}

/** A value on the graph is `value * scale + shift`. */
export function lensOf(channel: number): { scale: number; shift: number } {
  const { factor } = unitOf(channel);
  if (!normalised.value) return { scale: factor, shift: 0 };
  const { rows: keyRows = new Float32Array() } = still.value.get(channel) ?? {};
  let low = Infinity;
  let high = -Infinity;
  for (let i = 1; i < keyRows.length; i += 9) {
    low = Math.min(low, keyRows[i] as number);
    high = Math.max(high, keyRows[i] as number);
  }
  const half = Math.max((high - low) / 2, 1e-6);
  return { scale: 1 / half, shift: -(low + high) / 2 / half };
}

export function toFrame(time: number): number {
  return time * rate.peek();
}

export function toTime(frame: number): number {
  return frame / rate.peek();
}
