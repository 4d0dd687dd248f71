// What the last edit in the viewport changed of the shown curves: the graph keeps showing it, with the curves before.

import { effect } from "@preact/signals-core";
import type { ChannelKeys } from "../state/document";
import { interaction } from "../state/interaction";
import { character, points, take } from "../state/view";
import { before, changedChannels, live, seenChannels, still } from "./sheetState";

type Curves = ReadonlyMap<number, ChannelKeys>;

export function startKeepingChanges(): void {
  let moved: Curves = new Map();
  let seen: readonly number[] = [];
  let known: Curves = new Map();
  effect(() => {
    const [previewed, now] = [live.value, still.value];
    if (previewed.size && interaction.peek()?.tool !== "change") {
      if (!moved.size) known = now;
      moved = previewed;
      seen = seenChannels.peek();
    } else if (!previewed.size && moved.size) {
      const changed = [...moved.keys()].filter((each) => known.get(each) !== now.get(each));
      before.value = new Map(
        changed.flatMap((each) => (known.has(each) ? [[each, known.get(each)!] as const] : [])),
      );
      changedChannels.value = seen.filter((each) => changed.includes(each));
      moved = new Map();
    }
  });
  effect(() => {
    void [points.value, character.value, take.value];
    before.value = new Map();
    changedChannels.value = [];
  });
}
