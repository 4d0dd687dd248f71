// The edit range as a bracket on the ruler; for tools with a range its ends can be dragged.

import { computed } from "@preact/signals-core";
import { previews } from "../state/document";
import { interaction } from "../state/interaction";
import { aimed, frame, lastFrame, playing, points, rate } from "../state/view";
import { SHORTEST } from "../tools/shared/editRange";
import { activeTool, toolOf } from "../tools/shared/registry";
import { frameOf, xOf, type TimeAxis } from "./axis";
import { faded, type Colours } from "./colours";
import type { Gesture } from "./gesture";
import { LABELS, RULER, STRIP } from "./layout";
import { axis } from "./sheetState";
import { upright } from "./surface";
import { frameText } from "./frameText";

export interface ShownRange {
  first: number; // frame
  last: number;
  chosen: boolean; // by a person; else the tool decides
  meant: boolean; // something is held or would be: these frames would change
}

export type EditPart = "start" | "end" | "middle" | "new";

const HANDLE = 8; // px

/** The frames that a drag would change, as text so that only another range redraws; "" while playing. */
const around = computed(() => {
  const range = activeTool().editRange;
  const now = interaction.value;
  if (now?.frames) return now.frames.join(" ");
  if (now)
    return (
      toolOf(now.tool)
        .editRange?.framesAround(now.time * rate.value)
        .join(" ") ?? ""
    );
  if (aimed.value) return range?.framesAround(...aimed.value).join(" ") ?? "";
  return playing.value ? "" : (range?.framesAround(frame.value).join(" ") ?? "");
});
const meant = computed(
  () =>
    (interaction.value !== null && toolOf(interaction.value.tool).editRange !== undefined) ||
    aimed.value !== null ||
    points.value.length > 0,
);

/** The frames that a drag of a tool without a range changes, as text. */
const changed = computed(() => {
  const now = interaction.value;
  const span = now && !toolOf(now.tool).editRange ? previews.value.get(now.id)?.span : undefined;
  return span ? span.map((time) => time * rate.value).join(" ") : "";
});

export const editRange = computed<ShownRange | null>(() => {
  const range = activeTool().editRange;
  if (!range) {
    if (!changed.value) return null;
    const [first, last] = changed.value.split(" ").map(Number) as [number, number];
    return { first, last, chosen: false, meant: true };
  }
  if (lastFrame.value < SHORTEST) return null;
  const chosen = range.isChosen();
  if (!around.value && !chosen && range.isLong()) return null;
  const [first, last] = around.value
    ? (around.value.split(" ").map(Number) as [number, number])
    : range.framesAround(0);
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
  const handle = Math.min(HANDLE, (to - from) / 3);
  if (Math.abs(x - from) <= handle) return "start";
  if (Math.abs(x - to) <= handle) return "end";
  return now.chosen && x > from && x < to ? "middle" : "new";
}

export function editRangeText(part: EditPart): string {
  const now = editRange.peek();
  if (!now) return "";
  const frames = `frames ${frameText(Math.round(now.first))}–${frameText(Math.round(now.last))}`;
  if (part === "new")
    return now.chosen
      ? "Drag to set another edit range"
      : `Edit range: ${frames}. Drag here to set it`;
  return now.chosen ? `Edit range: ${frames}. Double click to reset` : `Edit range: ${frames}`;
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
  const tool = activeTool().editRange;
  if (!now || !tool) return null;
  const before = tool.chosen();
  const range = [Math.round(now.first), Math.round(now.last)] as const;
  const from = frameOf(axis.peek(), x - LABELS);
  let message = "";
  return {
    cursor: part === "middle" ? "grabbing" : "ew-resize",
    message: () => message,
    move(px) {
      const next = draggedRange(
        part,
        range,
        from,
        frameOf(axis.peek(), px - LABELS),
        lastFrame.peek(),
      );
      tool.chooseFrames(...next);
      message = `edit range: frames ${next[0]}–${next[1]}`;
    },
    end: () => {},
    cancel: () => tool.choose(...before),
  };
}

/** Solid where it was chosen, dashed where the tool decides. */
export function drawBracket(
  c: CanvasRenderingContext2D,
  axis: TimeAxis,
  edit: ShownRange,
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
  edit: ShownRange,
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
