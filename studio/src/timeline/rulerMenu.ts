// The context menu of the ruler.

import type { MenuItem } from "../controls/menu";
import { frame, lastFrame } from "../state/view";
import { frameOf } from "./axis";
import { setRange } from "./dragging";
import { LABELS } from "./layout";
import { addMarker, markerAt, markerItems } from "./markers";
import { commandItem } from "./menus";
import { axis } from "./sheetState";

export function rulerMenu(x: number, y: number): MenuItem[] {
  const at = Math.round(frameOf(axis.peek(), x - LABELS));
  const inside = Math.min(Math.max(at, 0), lastFrame.peek());
  const mark = markerAt(x, y);
  const ranges: MenuItem[] = [
    "time.range_start",
    "time.range_end",
    "time.range_keys",
    "time.range_all",
  ].map(commandItem);
  return [
    ...(mark ? markerItems(mark) : []),
    { label: `Go to frame ${inside}`, line: mark !== null, run: () => (frame.value = inside) },
    { label: `Add marker at frame ${inside}…`, run: () => addMarker(inside) },
    ...ranges.map((each, i) => ({ ...each, line: i === 0 })),
    { label: "Start the range here", run: () => setRange(inside, lastFrame.peek()) },
    { ...commandItem("time.snap"), line: true },
    commandItem("time.frame_all"),
  ];
}
