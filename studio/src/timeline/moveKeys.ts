// Drags that move, copy and scale the selected keys, in both sheets.

import { chosenKeys, frame, rate, snap } from "../state/view";
import { axis, chosen, lensOf, still, toFrame, unitOf, values } from "./sheetState";
import { chooseFresh } from "./keySelection";
import { keyAt } from "./curve";
import { pairsOf } from "./trackKeys";
import { growth, snappedMove, snappedScale, Way, type Gesture, type Modifiers } from "./gesture";
import { LABELS, RULER } from "./layout";
import { isInteractionFree, here, finishPreview, slideSoon } from "./changePreview";
import { changeText, framesText } from "./frameText";
import { xOf, yOf } from "./axis";

export type Lock = "time" | "value" | null;
export type At = readonly [channel: number, key: number];

/** X locks to time, Y to value; again frees. */
function locking(own: { lock: Lock }, key: string, again: () => void): boolean {
  const wanted = key === "x" ? "time" : key === "y" ? "value" : null;
  if (!wanted) return false;
  own.lock = own.lock === wanted ? null : wanted;
  again();
  return true;
}

function snaps(modifiers: Modifiers): boolean {
  return snap.peek() !== modifiers.ctrl;
}

/** Values of different kinds cannot move by one amount: those of the dragged one's kind do. */
function alike(keys: [number, number][], anchor: At): [number, number][] {
  const kind = unitOf(anchor[0]).kind;
  return keys.filter(([channel]) => unitOf(channel).kind === kind);
}

function leftOut(all: readonly At[], some: readonly At[], anchor: At): string {
  return some.length < all.length ? ` (${unitOf(anchor[0]).kind}s only)` : "";
}

export function moveKeys(x: number, y: number, anchor: At, upright: boolean): Gesture | null {
  const from = still.peek().get(anchor[0]);
  if (!from || !isInteractionFree()) return null;
  const keys = pairsOf(chosenKeys.peek());
  const start = toFrame(keyAt(from, anchor[1]).time);
  const way = new Way(x, y);
  const own: { lock: Lock; modifiers: Modifiers } = {
    lock: upright ? null : "time",
    modifiers: { shift: false, ctrl: false },
  };
  let message = "";
  const previewNow = () => {
    const frames =
      own.lock === "value"
        ? 0
        : snappedMove(start, way.dx / axis.peek().perFrame, snaps(own.modifiers));
    const value =
      own.lock === "time" ? 0 : -way.dy / values.peek().perUnit / lensOf(anchor[0]).scale;
    const { factor, sign } = unitOf(anchor[0]);
    const parts = [
      own.lock !== "value" && framesText(frames),
      own.lock !== "time" && changeText(value * factor, sign),
    ];
    const same = value === 0 ? keys : alike(keys, anchor);
    message = parts.filter(Boolean).join(", ") + leftOut(keys, same, anchor);
    slideSoon({
      change: "MoveKeys",
      ...here(),
      keys: same,
      time: frames / rate.peek(),
      value,
    });
  };
  return {
    cursor: upright ? "move" : "ew-resize",
    message: () => message,
    move(px, py, modifiers) {
      own.modifiers = modifiers;
      way.go(px, py, modifiers);
      previewNow();
    },
    end: () => finishPreview(true),
    cancel: () => finishPreview(false),
    press: (key) => upright && locking(own, key, previewNow),
  };
}

/** Copies follow the pointer; the originals stay. */
export function dragCopies(x: number, y: number): Gesture | null {
  const keys = pairsOf(chosenKeys.peek());
  const first = earliest(keys);
  if (!keys.length || !isInteractionFree()) return null;
  const way = new Way(x, y);
  let message = "";
  return {
    cursor: "copy",
    message: () => message,
    move(px, py, modifiers) {
      way.go(px, py, modifiers);
      const frames = snappedMove(first, way.dx / axis.peek().perFrame, snaps(modifiers));
      message = `copies ${framesText(frames)}`;
      slideSoon({ change: "CopyKeys", ...here(), keys, time: frames / rate.peek() });
    },
    end() {
      chooseFresh();
      finishPreview(true);
    },
    cancel: () => finishPreview(false),
  };
}

/** Retimes about the playhead; in the graph also scales values about their middle. */
export function scaleKeys(x: number, y: number, anchor: At, graph: boolean): Gesture | null {
  const keys = pairsOf(chosenKeys.peek());
  if (!isInteractionFree()) return null;
  const pivot = frame.peek();
  const same = alike(keys, anchor);
  const middle = middleValue(same);
  const px = LABELS + xOf(axis.peek(), pivot);
  const { scale, shift } = lensOf(anchor[0]);
  const py = RULER + yOf(values.peek(), middle * scale + shift);
  const far = furthest(keys, pivot);
  const way = new Way(x, y);
  const own: { lock: Lock; modifiers: Modifiers } = {
    lock: graph ? null : "time",
    modifiers: { shift: false, ctrl: false },
  };
  let message = "";
  const previewNow = () => {
    const time =
      own.lock === "value"
        ? 1
        : snappedScale(growth(x, px, way.dx), pivot, far, snaps(own.modifiers));
    const value = own.lock === "time" ? 1 : growth(y, py, way.dy);
    const parts = [
      own.lock !== "value" && `time × ${time.toFixed(2)}`,
      own.lock !== "time" && `values × ${value.toFixed(2)}`,
    ];
    message = parts.filter(Boolean).join(", ") + leftOut(keys, value === 1 ? keys : same, anchor);
    slideSoon({
      change: "MoveKeys",
      ...here(),
      keys: value === 1 ? keys : same,
      scale_time: time,
      scale_value: value,
      pivot_time: pivot / rate.peek(),
      pivot_value: middle,
    });
  };
  return {
    cursor: graph ? "nwse-resize" : "ew-resize",
    message: () => message,
    move(mx, my, modifiers) {
      own.modifiers = modifiers;
      way.go(mx, my, modifiers);
      previewNow();
    },
    end: () => finishPreview(true),
    cancel: () => finishPreview(false),
    press: (key) => graph && locking(own, key, previewNow),
  };
}

function framesOf(keys: readonly At[]): number[] {
  return keys.flatMap(([channel, key]) => {
    const curve = still.peek().get(channel);
    return curve ? [toFrame(keyAt(curve, key).time)] : [];
  });
}

export function earliest(keys: readonly At[]): number {
  return framesOf(keys).reduce((least, each) => Math.min(least, each), Infinity);
}

function furthest(keys: readonly At[], pivot: number): number {
  return framesOf(keys).reduce(
    (far, each) => (Math.abs(each - pivot) > Math.abs(far - pivot) ? each : far),
    pivot,
  );
}

function middleValue(keys: readonly At[]): number {
  let low = Infinity;
  let high = -Infinity;
  for (const [channel, key] of keys) {
    const curve = still.peek().get(channel);
    if (!curve) continue;
    low = Math.min(low, keyAt(curve, key).value);
    high = Math.max(high, keyAt(curve, key).value);
  }
  return (low + high) / 2;
}

/** The chosen key nearest to a place, for taking hold without a press; in the graph by height too. */
export function nearestChosen(x: number, y: number, graph: boolean): At | null {
  let best: At | null = null;
  let least = Infinity;
  for (const [channel, own] of chosen.peek())
    for (const key of own) {
      const curve = still.peek().get(channel);
      if (!curve) continue;
      const { time, value } = keyAt(curve, key);
      const { scale, shift } = lensOf(channel);
      const up = graph ? RULER + yOf(values.peek(), value * scale + shift) - y : 0;
      const far = Math.hypot(LABELS + xOf(axis.peek(), toFrame(time)) - x, up);
      if (far >= least) continue;
      best = [channel, key];
      least = far;
    }
  return best;
}
