// The border between two bars of a tool, under the keys: dragged in time, it moves the key there.

import {
  beginInteraction,
  cancelInteraction,
  commitInteraction,
  interaction,
  leaveOpen,
  updateInteraction,
} from "../state/interaction";
import { rate, snap, tool } from "../state/view";
import { toolOf } from "../tools/shared/registry";
import { mayEdit } from "../wire/role";
import { frameText } from "./frameText";
import { snappedMove, Way, type Gesture } from "./gesture";
import { axis } from "./sheetState";

/** Moves the key at a border; an interaction that is open goes on and stays open. */
export function dragKeyBorder(x: number, time: number): Gesture | null {
  const name = tool.peek();
  const handle = toolOf(name).keyHandle?.(time * rate.peek());
  const before = interaction.peek();
  if (handle === undefined || (before && !before.open) || !mayEdit()) return null;
  const goesOn = before?.tool === name;
  const id = goesOn ? before.id : beginInteraction(name, null, time);
  const isMine = () => interaction.peek()?.id === id;
  const from = time * rate.peek();
  const way = new Way(x, 0);
  let to = time;
  let scheduled = 0;
  const update = () => {
    scheduled = 0;
    if (isMine()) updateInteraction({ to_time: to }, handle);
  };
  return {
    cursor: "ew-resize",
    message: () => `Key: frame ${frameText(to * rate.peek())}`,
    move(px, _, modifiers) {
      way.go(px, 0, modifiers);
      const snaps = snap.peek() !== modifiers.ctrl;
      to = (from + snappedMove(from, way.dx / axis.peek().perFrame, snaps)) / rate.peek();
      if (!scheduled) scheduled = requestAnimationFrame(update);
    },
    end() {
      cancelAnimationFrame(scheduled);
      update();
      if (isMine()) (goesOn ? leaveOpen : commitInteraction)();
    },
    cancel() {
      cancelAnimationFrame(scheduled);
      if (isMine()) cancelInteraction();
    },
  };
}
