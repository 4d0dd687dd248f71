// Frames the whole take, or the selected keys.

import { batch, effect, untracked } from "@preact/signals-core";
import { takeName } from "../state/document";
import { character, chosenKeys, lastFrame, sheet, take } from "../state/view";
import { framing, framingValues, type TimeAxis } from "./axis";
import { keyAt, keyCount, timeAt, valueAt } from "./curve";
import { pairsOf } from "./trackKeys";
import { LABELS, ROW, rowTop, RULER } from "./layout";
import {
  axis,
  chosenJoints,
  drawnChannels,
  lensOf,
  listedChannels,
  normalised,
  rows,
  scroll,
  size,
  still,
  toFrame,
  values,
} from "./sheetState";

let fitted: TimeAxis | null = null; // the axis that shows the whole take, until it is zoomed or panned

export function frameAll(): void {
  batch(() => {
    fitted = axis.value = framing(0, lastFrame.peek(), size.peek().width - LABELS);
    frameValues();
  });
}

export function frameSelected(): void {
  const keys = pairsOf(chosenKeys.peek());
  if (!keys.length) return frameAll();
  let [first, last] = [Infinity, -Infinity];
  const heights: number[] = [];
  for (const [channel, key] of keys) {
    const curve = still.peek().get(channel);
    if (!curve || key >= keyCount(curve)) continue;
    const { time, value } = keyAt(curve, key);
    const { scale, shift } = lensOf(channel);
    first = Math.min(first, toFrame(time));
    last = Math.max(last, toFrame(time));
    if (drawnChannels.peek().includes(channel)) heights.push(value * scale + shift);
  }
  const room = Math.max(2, 0.1 * (last - first));
  batch(() => {
    axis.value = framing(first - room, last + room, size.peek().width - LABELS);
    if (sheet.peek() === "graph" && heights.length) fit(Math.min(...heights), Math.max(...heights));
  });
}

/** All drawn curves, with what they do between their keys. */
function frameValues(): void {
  let [low, high] = [Infinity, -Infinity];
  for (const channel of drawnChannels.peek()) {
    const curve = still.peek().get(channel);
    if (!curve) continue;
    const { scale, shift } = lensOf(channel);
    const first = timeAt(curve, 0);
    const length = timeAt(curve, keyCount(curve) - 1) - first;
    const note = (value: number) => {
      low = Math.min(low, value * scale + shift);
      high = Math.max(high, value * scale + shift);
    };
    for (let i = 0; i <= 200; i++) note(valueAt(curve, first + (length * i) / 200));
    for (let key = 0; key < keyCount(curve); key++) note(keyAt(curve, key).value);
  }
  if (low <= high) fit(low, high);
}

function fit(low: number, high: number): void {
  const room = high - low < 1e-6 ? 1 : 0;
  values.value = framingValues(low - room, high + room, size.peek().height - RULER);
}

/** The rows keep their order: those of a new selection, and of events that appear, are scrolled into view. */
export function startRevealing(): void {
  let hadEvents = false;
  effect(() => {
    const hasEvents = rows.value.some(({ kind }) => kind === "events");
    if (hasEvents && !hadEvents) scroll.value = 0;
    hadEvents = hasEvents;
  });
  effect(() => {
    const joints = chosenJoints.value;
    untracked(() => {
      if (rows.peek().some(({ kind }) => kind === "events")) return; // these stay in sight
      const at = rows.peek().findIndex(({ joint }) => joints.has(joint));
      const top = rowTop(at, scroll.peek());
      const hidden = top < RULER + ROW || top + ROW > size.peek().height;
      if (at > 0 && hidden) scroll.value = (at - 1) * ROW;
    });
  });
}

/** Another take is framed whole once the sheet has a size; other curves are framed in height. */
export function startFraming(): void {
  let framed = "";
  effect(() => {
    const here = `${takeName(character.value, take.value)} ${lastFrame.value}`;
    const refits = size.value.width > 0 && axis.peek() === fitted; // the window has another size
    if (size.value.width < LABELS || lastFrame.value === 0) return;
    if (here === framed && !refits) return;
    framed = here;
    frameAll();
  });
  let drawn = "";
  effect(() => {
    const here = JSON.stringify([
      listedChannels.value,
      normalised.value,
      sheet.value,
      size.value.height > 0,
    ]);
    if (here === drawn) return;
    drawn = here;
    frameValues();
  });
}
