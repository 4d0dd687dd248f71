// Drags other than of keys: scrub, pan, box selection, range ends, handles, bars.

import { constraintOf } from "../state/pinsAndContacts";
import { batch } from "@preact/signals-core";
import { frame, lastFrame, playing, playRange, range, rate, snap } from "../state/view";
import { withSpan } from "../constraints/kinds";
import { acceptChange } from "../state/footplants";
import type { Change } from "../wire/messages";
import { frameOf } from "./axis";
import type { Bar } from "./row";
import { keyAt } from "./curve";
import type { BarEnd } from "./dopeHit";
import { snappedMove, Way, type Gesture, type Modifiers } from "./gesture";
import { LABELS } from "./layout";
import { axis, box, draggedBar, lensOf, scroll, still, values } from "./sheetState";
import { isInteractionFree, here, finishPreview, slideSoon } from "./changePreview";
import { frameText } from "./frameText";

const snaps = (modifiers: Modifiers) => snap.peek() !== modifiers.ctrl;

export function scrub(): Gesture {
  const played = playing.peek();
  playing.value = false;
  const end = () => (playing.value = played);
  return { cursor: "ew-resize", move: (x, _, modifiers) => goTo(x, modifiers), end, cancel: end };
}

export function goTo(x: number, modifiers: Modifiers): void {
  const there = frameOf(axis.peek(), x - LABELS);
  const inside = Math.min(Math.max(there, 0), lastFrame.peek());
  frame.value = snaps(modifiers) ? Math.round(inside) : inside;
}

export function dragRange(end: "start" | "end"): Gesture {
  const before = range.peek();
  return {
    cursor: "ew-resize",
    move(x) {
      const there = Math.round(frameOf(axis.peek(), x - LABELS));
      const [first, last] = playRange.peek();
      setRange(
        end === "start" ? Math.min(there, last - 1) : first,
        end === "end" ? Math.max(there, first + 1) : last,
      );
    },
    end: () => {},
    cancel: () => (range.value = before),
  };
}

/** The whole take is no range of its own: it grows with the take. */
export function setRange(first: number, last: number): void {
  const end = lastFrame.peek();
  const from = Math.min(Math.max(Math.round(first), 0), Math.max(end - 1, 0));
  const to = Math.min(Math.max(Math.round(last), from + 1), end);
  range.value = from === 0 && to === end ? null : [from, to];
}

export function pan(x: number, y: number, graph: boolean): Gesture {
  let [atX, atY] = [x, y];
  return {
    cursor: "grabbing",
    move(px, py) {
      panBy(px - atX, py - atY, graph);
      [atX, atY] = [px, py];
    },
    end: () => {},
    cancel: () => {},
  };
}

export function panBy(dx: number, dy: number, graph: boolean): void {
  batch(() => {
    const now = axis.peek();
    axis.value = { ...now, start: now.start - dx / now.perFrame };
    if (graph)
      values.value = { ...values.peek(), top: values.peek().top + dy / values.peek().perUnit };
    else scroll.value = scroll.peek() - dy; // kept in its bounds where it is drawn
  });
}

export function drawBox(
  x: number,
  y: number,
  take: (drawn: NonNullable<typeof box.value>) => void,
): Gesture {
  return {
    cursor: "crosshair",
    move(px, py) {
      box.value = { x0: x, y0: y, x1: px, y1: py };
    },
    end() {
      const drawn = box.peek();
      box.value = null;
      if (drawn) take(drawn);
    },
    cancel: () => (box.value = null),
  };
}

export function dragHandle(
  x: number,
  y: number,
  channel: number,
  key: number,
  side: 0 | 1,
): Gesture | null {
  const curve = still.peek().get(channel);
  if (!curve || !isInteractionFree()) return null;
  const at = keyAt(curve, key);
  const [dt, dv] = side ? [at.outTime, at.outValue] : [at.inTime, at.inValue];
  const sign = side ? 1 : -1; // both handles are counted away from their key
  const way = new Way(x, y);
  const own = { lock: null as "time" | "value" | null };
  const previewNow = () => {
    const time = own.lock === "value" ? 0 : (sign * way.dx) / axis.peek().perFrame / rate.peek();
    const value =
      own.lock === "time" ? 0 : (-sign * way.dy) / values.peek().perUnit / lensOf(channel).scale;
    slideSoon({
      change: "MoveHandle",
      ...here(),
      handle: [channel, key, side],
      dt: Math.max(0, dt + time),
      dv: dv + value,
    });
  };
  return {
    cursor: "move",
    move(px, py, modifiers) {
      way.go(px, py, modifiers);
      previewNow();
    },
    end: () => finishPreview(true),
    cancel: () => finishPreview(false),
    press(pressed) {
      const wanted = pressed === "x" ? "time" : pressed === "y" ? "value" : null;
      if (!wanted) return false;
      own.lock = own.lock === wanted ? null : wanted;
      previewNow();
      return true;
    },
  };
}

/** The change that gives a bar another range; a detected footplant becomes a contact. */
export function changed(
  bar: Bar,
  start: number,
  end: number,
  hold: { position?: boolean; orientation?: boolean } = {},
): Change {
  const { kind, index } = bar;
  if (kind === "constraint") {
    const { constraint, character } = bar.info;
    return {
      change: "ChangeConstraint",
      character,
      take: here().take,
      index,
      constraint: withSpan(constraint, start, end),
    };
  }
  if (kind === "footplant") return acceptChange({ point: bar.point, was: bar.start, start, end });
  const constraint = constraintOf(bar, { start, end, ...hold });
  return { change: "ChangeConstraint", ...here(), index, constraint };
}

export function dragBar(x: number, bar: Bar, end: BarEnd): Gesture | null {
  if (!isInteractionFree()) return null;
  const way = new Way(x, 0);
  const [start, stop] = [bar.start * rate.peek(), bar.end * rate.peek()];
  const last = Math.max(lastFrame.peek(), stop);
  let message = "";
  return {
    cursor: end === "middle" ? "grabbing" : "ew-resize",
    message: () => message,
    move(px, _, modifiers) {
      way.go(px, 0, modifiers);
      const moved = snappedMove(
        end === "end" ? stop : start,
        way.dx / axis.peek().perFrame,
        snaps(modifiers),
      );
      const by = end === "middle" ? Math.min(Math.max(moved, -start), last - stop) : moved;
      const from =
        end === "end"
          ? start
          : Math.min(Math.max(start + by, 0), end === "start" ? stop : Infinity);
      const to = end === "start" ? stop : Math.max(Math.min(stop + by, last), from);
      const now = {
        kind: bar.kind,
        index: bar.index,
        start: from / rate.peek(),
        end: to / rate.peek(),
      };
      draggedBar.value = now;
      message = `frames ${frameText(from)}–${frameText(to)}`;
      slideSoon(changed(bar, now.start, now.end));
    },
    end: () => finishPreview(true), // the bar stays where it is until the document has changed
    cancel() {
      draggedBar.value = null;
      finishPreview(false);
    },
  };
}
