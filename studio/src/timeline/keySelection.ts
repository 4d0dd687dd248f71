// The selection of keys; it follows keys through edits.

import { effect } from "@preact/signals-core";
import { takeName, type ChannelKeys } from "../state/document";
import { character, chosenChannels, chosenKeys, points, take } from "../state/view";
import { keyCount } from "./curve";
import { byChannel, follow, keyName } from "./trackKeys";
import { rows, still } from "./sheetState";

export function choose(keys: Iterable<readonly [number, number]>, add = false): void {
  const found = new Set(add ? chosenKeys.peek() : []);
  for (const [channel, key] of keys) found.add(keyName(channel, key));
  chosenKeys.value = found;
}

/** Adds keys, or takes them out again if all of them were chosen. */
export function toggle(keys: readonly (readonly [number, number])[]): void {
  const found = new Set(chosenKeys.peek());
  const names = keys.map(([channel, key]) => keyName(channel, key));
  const all = names.every((name) => found.has(name));
  for (const name of names) all ? found.delete(name) : found.add(name);
  chosenKeys.value = found;
}

export function isChosen(keys: readonly (readonly [number, number])[]): boolean {
  return keys.every(([channel, key]) => chosenKeys.peek().has(keyName(channel, key)));
}

export function chooseAll(channels: readonly number[]): void {
  const found: [number, number][] = [];
  for (const channel of channels) {
    const curve = still.peek().get(channel);
    for (let key = 0; curve && key < keyCount(curve); key++) found.push([channel, key]);
  }
  choose(found);
}

/** All channels listed in the dope sheet. */
export function listed(): readonly number[] {
  return rows.peek()[0]?.channels ?? [];
}

let wantFresh = false;
/** The keys that an edit made and that were chosen then, and what was chosen before it. */
let replaced: { made: ReadonlySet<string>; before: ReadonlySet<string> } | null = null;

/** The next edit makes keys: choose those instead of what was chosen. */
export function chooseFresh(): void {
  wantFresh = true;
}

export function startFollowing(): void {
  let place = "";
  let before: ReadonlyMap<number, ChannelKeys> = new Map();
  effect(() => {
    const now = still.value;
    const here = takeName(character.value, take.value);
    if (here !== place) chosenKeys.value = new Set();
    else if (now !== before) followed(before, now);
    place = here;
    before = now;
  });
  effect(() => {
    void points.value; // another joint: its own channels
    chosenChannels.value = new Set();
  });
}

function followed(
  before: ReadonlyMap<number, ChannelKeys>,
  now: ReadonlyMap<number, ChannelKeys>,
): void {
  const fresh = wantFresh;
  const chosen = byChannel(chosenKeys.peek());
  const found: [number, number][] = [];
  const looked = fresh ? now.keys() : chosen.keys();
  for (const channel of looked) {
    const own = chosen.get(channel) ?? new Set<number>();
    const [old, made] = [before.get(channel), now.get(channel)];
    if (!made) continue;
    if (old === made) {
      if (!fresh) for (const key of own) found.push([channel, key]);
      continue;
    }
    const went = follow(old?.rows ?? new Float32Array(), made.rows, own);
    const keys = fresh
      ? went.fresh
      : [...own].map((key) => went.now[key] ?? -1).filter((key) => key >= 0);
    for (const key of keys) found.push([channel, key]);
  }
  if (fresh && found.length === 0) return;
  wantFresh = false;
  if (!fresh && found.length === 0 && replaced?.made === chosenKeys.peek()) {
    chosenKeys.value = replaced.before; // an undo took them away
    replaced = null;
    return;
  }
  const earlier = chosenKeys.peek();
  choose(found);
  if (fresh) replaced = { made: chosenKeys.peek(), before: earlier };
}
