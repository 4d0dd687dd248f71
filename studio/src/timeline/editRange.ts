// The frames that an edit may change: a bracket on the ruler. That of a whole motion is dragged by its ends.

import { computed } from "@preact/signals-core";
import { hands } from "../state/document";
import { held } from "../state/hands";
import { aimed, frame, lastFrame, playing, points, rate, tool } from "../state/view";
import {
  chooseFrames,
  chooseRange,
  chosenRange,
  framesAround,
  isLong,
  SHORTEST,
} from "../tools/spacetime";
import { frameOf, xOf, type TimeAxis } from "./axis";
import { faded, type Colours } from "./colours";
import type { Gesture } from "./gesture";
import { LABELS, RULER, STRIP } from "./layout";
import { axis } from "./shown";
import { upright } from "./surface";
import { frameText } from "./words";

export interface EditRange {
  first: number; // frame
  last: number;
  chosen: boolean; // by a person; else the tool decides
  meant: boolean; // something is held or would be: these frames would change
}

export type EditPart = "start" | "end" | "middle" | "new";

const GRIP = 8; // px

/** The frames that a drag would change, as a name so that only others draw anew; "" where the picture moves on. */
const around = computed(() => {
  const hand = held.value;
  if (hand?.frames) return hand.frames.join(" ");
  if (hand) return hand.tool === "spacetime" ? framesAround(hand.time * rate.value).join(" ") : "";
  if (aimed.value) return framesAround(...aimed.value).join(" ");
  return playing.value ? "" : framesAround(frame.value).join(" ");
});
const meant = computed(
  () => held.value?.tool === "spacetime" || aimed.value !== null || points.value.length > 0,
);

/** The frames that a drag of a pose or motion curve changes, named as above. */
const changed = computed(() => {
  const hand = held.value;
  const span = hand && hand.tool !== "spacetime" ? hands.value.get(hand.hand)?.span : undefined;
  return span ? span.map((time) => time * rate.value).join(" ") : "";
});

export const editRange = computed<EditRange | null>(() => {
  if (tool.value !== "spacetime") {
    if (!changed.value) return null;
    const [first, last] = changed.value.split(" ").map(Number) as [number, number];
    return { first, last, chosen: false, meant: true };
  }
  if (lastFrame.value < SHORTEST) return null;
  const chosen = chosenRange().some((end) => end !== null);
  if (!around.value && !chosen && isLong()) return null;
  const [first, last] = around.value
    ? (around.value.split(" ").map(Number) as [number, number])
    : framesAround(0);
  return { first, last, chosen, meant: meant.value };
});

/** What of the bracket is under the pointer; along the rest of its strip a new one is drawn. */
export function editPartAt(x: number, y: number): EditPart | null {
  const now = editRange.value;
  if (!now || y > STRIP + 1) return null;
  const [from, to] = [now.first, now.last].map((at) => LABELS + xOf(axis.value, at)) as [
    number,
    number,
  ];
  const grip = Math.min(GRIP, (to - from) / 3);
  if (Math.abs(x - from) <= grip) return "start";
  if (Math.abs(x - to) <= grip) return "end";
  return now.chosen && x > from && x < to ? "middle" : "new";
}

export function editWords(part: EditPart): string {
  const now = editRange.peek();
  if (!now) return "";
  const frames = `frames ${frameText(Math.round(now.first))}–${frameText(Math.round(now.last))}`;
  if (part === "new")
    return now.chosen
      ? "Drag: other frames to edit"
      : `A drag changes ${frames}. Drag here to choose others`;
  return now.chosen ? `Edits change ${frames}. Double click: no range` : `A drag changes ${frames}`;
}

/** The range with a part of it brought from one frame to another. */
export function draggedRange(
  part: EditPart,
  [first, last]: readonly [number, number],
  from: number,
  to: number,
  end: number,
): [number, number] {
  const at = Math.min(Math.max(Math.round(to), 0), end);
  if (part === "start") return [Math.min(at, last - SHORTEST), last];
  if (part === "end") return [first, Math.max(at, first + SHORTEST)];
  if (part === "middle") {
    const by = Math.min(Math.max(Math.round(to - from), -first), end - last);
    return [first + by, last + by];
  }
  const begun = Math.min(Math.max(Math.round(from), 0), end);
  const [low, high] = [Math.min(begun, at), Math.max(begun, at)];
  const start = Math.min(low, end - SHORTEST);
  return [start, Math.max(high, start + SHORTEST)];
}

export function dragEdit(part: EditPart, x: number): Gesture | null {
  const now = editRange.peek();
  if (!now) return null;
  const before = chosenRange();
  const range = [Math.round(now.first), Math.round(now.last)] as const;
  const from = frameOf(axis.peek(), x - LABELS);
  let said = "";
  return {
    cursor: part === "middle" ? "grabbing" : "ew-resize",
    says: () => said,
    move(px) {
      const next = draggedRange(
        part,
        range,
        from,
        frameOf(axis.peek(), px - LABELS),
        lastFrame.peek(),
      );
      chooseFrames(...next);
      said = `edits change frames ${next[0]}–${next[1]}`;
    },
    end: () => {},
    cancel: () => chooseRange(...before),
  };
}

/** Solid where it was chosen, dashed where the tool decides. */
export function drawBracket(
  c: CanvasRenderingContext2D,
  axis: TimeAxis,
  edit: EditRange,
  lit: boolean,
  theme: Colours,
): void {
  const [from, to] = [edit.first, edit.last].map((at) => xOf(axis, at)) as [number, number];
  const strong = lit || edit.meant || edit.chosen;
  c.strokeStyle = c.fillStyle = faded(theme.edited, strong ? 1 : 0.55);
  c.lineWidth = 2;
  c.setLineDash(edit.chosen ? [] : [4, 3]);
  c.beginPath();
  c.moveTo(from, 3);
  c.lineTo(to, 3);
  c.stroke();
  c.setLineDash([]);
  for (const [x, side] of [
    [from, 1],
    [to, -1],
  ] as const) {
    c.beginPath();
    c.moveTo(x, 1);
    c.lineTo(x + 5 * side, 1);
    c.lineTo(x + 1.5 * side, STRIP + 1);
    c.lineTo(x, STRIP + 1);
    c.fill();
  }
}

/** What an edit would change is tinted down the sheet, where that is not everything. */
export function shadeEdit(
  c: CanvasRenderingContext2D,
  axis: TimeAxis,
  edit: EditRange,
  width: number,
  height: number,
  theme: Colours,
): void {
  const whole = edit.first <= 0 && edit.last >= lastFrame.value;
  if (whole || (!edit.chosen && !edit.meant)) return;
  const [from, to] = [edit.first, edit.last].map((at) => LABELS + xOf(axis, at)) as [
    number,
    number,
  ];
  const [x0, x1] = [Math.max(from, LABELS), Math.min(to, width)];
  if (x1 <= x0) return;
  c.fillStyle = faded(theme.edited, edit.meant ? 0.09 : 0.05);
  c.fillRect(x0, RULER, x1 - x0, height - RULER);
  c.fillStyle = faded(theme.edited, 0.5);
  for (const x of [from, to]) if (x > LABELS && x < width) upright(c, x, RULER, height);
}
