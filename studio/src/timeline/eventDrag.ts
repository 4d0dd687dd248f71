// Events of an activity on the timeline: dragged in time, and their menu.

import { activityHere, draggedEvent, eventText, handleName } from "../state/activities";
import { removeEvent, renameEvent } from "../state/activityChanges";
import { askName } from "../controls/askName";
import type { MenuItem } from "../controls/menu";
import {
  beginInteraction,
  cancelInteraction,
  commitInteraction,
  interaction,
  updateInteraction,
} from "../state/interaction";
import { activityEditor } from "../state/toolTraits";
import { frame, lastFrame, playing, previewDraggedFrame, rate, snap } from "../state/view";
import { mayEdit, viewOnly } from "../wire/role";
import { frameText } from "./frameText";
import { snappedMove, Way, type Gesture } from "./gesture";
import type { EventMark } from "./row";
import { axis, events } from "./sheetState";

/** Retimes an event: what happens around it plays faster or slower. */
export function dragEvent(x: number, mark: EventMark): Gesture | null {
  const tool = activityEditor();
  const element = mark.elements[0];
  const now = interaction.peek();
  if (!tool || element === undefined || (now && !now.open) || !mayEdit()) return null;
  const handle = handleName(element, mark.time, rate.peek());
  const [first, last] = between(mark);
  const from = mark.time * rate.peek();
  const way = new Way(x, 0);
  if (previewDraggedFrame.peek() && !playing.peek()) goToEvent(mark);
  const id = beginInteraction(tool, null, mark.time);
  const isMine = () => interaction.peek()?.id === id;
  let scheduled = 0;
  const update = () => {
    scheduled = 0;
    const time = draggedEvent.peek()?.time;
    if (isMine() && time !== undefined) updateInteraction({ to_time: time }, handle);
  };
  const stop = () => cancelAnimationFrame(scheduled);
  return {
    cursor: "ew-resize",
    message: () =>
      `${mark.name}: frame ${frameText((draggedEvent.peek()?.time ?? mark.time) * rate.peek())}`,
    move(px, _, modifiers) {
      way.go(px, 0, modifiers);
      const snaps = snap.peek() !== modifiers.ctrl;
      const to = from + snappedMove(from, way.dx / axis.peek().perFrame, snaps);
      const time = Math.min(Math.max(to, first), last) / rate.peek();
      draggedEvent.value = { index: mark.index, time };
      if (!scheduled) scheduled = requestAnimationFrame(update);
    },
    end() {
      stop();
      update();
      if (isMine()) commitInteraction();
    },
    cancel() {
      stop();
      draggedEvent.value = null;
      if (isMine()) cancelInteraction();
    },
  };
}

/** The frames between the events before and after one. */
function between(mark: EventMark): [number, number] {
  const others = events.peek().filter((each) => each.index !== mark.index);
  const frames = others.map((each) => each.time * rate.peek());
  const at = mark.time * rate.peek();
  const before = Math.max(0, ...frames.filter((each) => each < at));
  const after = Math.min(lastFrame.peek(), ...frames.filter((each) => each > at));
  return [before + 1, Math.max(after - 1, before + 1)];
}

export function goToEvent({ time }: { time: number }): void {
  playing.value = false;
  frame.value = Math.round(time * rate.peek());
}

export function eventMenu(mark: EventMark): MenuItem[] {
  const enabled = !viewOnly.peek();
  const name = activityHere.peek()?.events[mark.index]?.name ?? "";
  return [
    { label: "Go to event", run: () => goToEvent(mark) },
    {
      label: "Rename event…",
      line: true,
      enabled,
      run: () => askName("Rename event", name, (next) => renameEvent(mark.index, next)),
    },
    { label: "Remove event", enabled, run: () => removeEvent(mark.index) },
  ];
}

/** What an event is about, for the pointer over it. */
export function eventHover(mark: EventMark): string {
  const here = activityHere.peek();
  const name = here ? eventText(here, mark.index) : mark.name;
  const who = mark.elements.length ? ` · ${mark.elements.join(", ")}` : "";
  return `${name}: frame ${frameText(Math.round(mark.time * rate.peek()))}${who}`;
}
