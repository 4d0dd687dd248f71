// Pointer input on the ruler: scrubbing, the ends of the playback range, the edit range.

import { frame, playRange, rate } from "../state/view";
import { xOf } from "./axis";
import { dragRange, goTo, scrub } from "./dragging";
import { activeTool } from "../tools/shared/registry";
import { dragEdit, editPartAt, editRangeText } from "./editRange";
import { LABELS, RULER } from "./layout";
import { dragMarker, markerAt, markerHover } from "./markers";
import { rulerMenu } from "./rulerMenu";
import type { Sheet } from "./sheet";
import { axis } from "./sheetState";

const HANDLE = 9; // px

/** The end of the playback range whose handle, at the foot of the ruler, is under the pointer. */
export function rangeEndAt(x: number, y: number): "start" | "end" | null {
  if (y < RULER - 12) return null;
  const [from, to] = playRange.value.map((frame) => LABELS + xOf(axis.value, frame)) as [
    number,
    number,
  ];
  if (x >= from - 3 && x <= from + HANDLE) return "start";
  return x <= to + 3 && x >= to - HANDLE ? "end" : null;
}

export const rulerPointer: Sheet = {
  press(x, y, modifiers) {
    const end = rangeEndAt(x, y);
    if (end) return { drag: () => dragRange(end) };
    const part = editPartAt(x, y);
    if (part)
      return { click: () => part === "new" && goTo(x, modifiers), drag: () => dragEdit(part, x) };
    const mark = markerAt(x, y);
    if (mark)
      return {
        click: () => (frame.value = mark.time * rate.peek()),
        drag: () => dragMarker(x, mark),
      };
    goTo(x, modifiers);
    return { drag: scrub };
  },
  hover(x, y) {
    const end = rangeEndAt(x, y);
    const part = end ? null : editPartAt(x, y);
    if (part)
      return {
        hover: { text: editRangeText(part), x, y: y + 14 },
        cursor: part === "middle" ? "grab" : "ew-resize",
      };
    const mark = end ? null : markerAt(x, y);
    if (mark) return { hover: { text: markerHover(mark), x, y: y + 14 }, cursor: "ew-resize" };
    const text = end ? `${end === "start" ? "Start" : "End"} of the playback range` : "";
    return { hover: text ? { text, x, y: y + 14 } : null, cursor: end ? "ew-resize" : "default" };
  },
  menu: rulerMenu,
  twice(x, y) {
    if (editPartAt(x, y)) activeTool().editRange?.automatic();
  },
};
