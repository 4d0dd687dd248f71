// Markers on the ruler: drawn, dragged in time, added, renamed and removed.

import { askName } from "../controls/askName";
import type { MenuItem } from "../controls/menu";
import { frame, lastFrame, rate, snap } from "../state/view";
import { viewOnly } from "../wire/role";
import { xOf, type TimeAxis } from "./axis";
import { doAtOnce, finishPreview, here, isInteractionFree, slideSoon } from "./changePreview";
import type { Colours } from "./colours";
import { frameText } from "./frameText";
import { snappedMove, Way, type Gesture } from "./gesture";
import { LABELS, RULER, STRIP } from "./layout";
import { axis, takeInfo } from "./sheetState";

const WIDE = 5; // px on either side of its frame

export interface MarkerAt {
  index: number;
  name: string;
  time: number; // s
}

export function markersHere(): MarkerAt[] {
  return (takeInfo.value?.markers ?? []).map((each, index) => ({ ...each, index }));
}

/** The marker whose flag is under the pointer. */
export function markerAt(x: number, y: number): MarkerAt | null {
  if (y < STRIP || y > RULER - 10) return null;
  const near = (each: MarkerAt) =>
    Math.abs(LABELS + xOf(axis.value, each.time * rate.value) - x) <= WIDE;
  return markersHere().findLast(near) ?? null;
}

export function drawMarkers(
  c: CanvasRenderingContext2D,
  at: TimeAxis,
  width: number,
  height: number,
  theme: Colours,
): void {
  c.font = `11px ${theme.font}`;
  c.textAlign = "left";
  for (const { name, time } of markersHere()) {
    const x = LABELS + xOf(at, time * rate.value);
    if (x < LABELS || x > width) continue;
    c.fillStyle = theme.accent;
    c.beginPath();
    c.moveTo(x - WIDE, STRIP + 2);
    c.lineTo(x + WIDE, STRIP + 2);
    c.lineTo(x + WIDE, STRIP + 8);
    c.lineTo(x, STRIP + 14);
    c.lineTo(x - WIDE, STRIP + 8);
    c.fill();
    c.globalAlpha = 0.35;
    c.fillRect(x - 0.5, RULER, 1, height - RULER);
    c.globalAlpha = 1;
    c.fillStyle = theme.ink;
    c.fillText(name, x + WIDE + 3, STRIP + 7);
  }
}

export function markerHover(mark: MarkerAt): string {
  return `Marker ${mark.name}: frame ${frameText(mark.time * rate.peek())}`;
}

export function dragMarker(x: number, mark: MarkerAt): Gesture | null {
  if (!isInteractionFree()) return null;
  const way = new Way(x, 0);
  const from = mark.time * rate.peek();
  let to = from;
  return {
    cursor: "ew-resize",
    message: () => `${mark.name}: frame ${frameText(to)}`,
    move(px, _, modifiers) {
      way.go(px, 0, modifiers);
      const by = snappedMove(from, way.dx / axis.peek().perFrame, snap.peek() !== modifiers.ctrl);
      to = Math.min(Math.max(from + by, 0), lastFrame.peek());
      const time = to / rate.peek();
      slideSoon({ change: "ChangeMarker", ...here(), index: mark.index, time });
    },
    end: () => finishPreview(true),
    cancel: () => finishPreview(false),
  };
}

export function addMarker(at = Math.round(frame.peek())): void {
  askName(`Marker at frame ${at}`, `Marker ${markersHere().length + 1}`, (name) =>
    doAtOnce({ change: "AddMarker", ...here(), name, time: at / rate.peek() }),
  );
}

export function markerItems(mark: MarkerAt): MenuItem[] {
  const enabled = !viewOnly.peek();
  const { index } = mark;
  return [
    { label: "Go to marker", run: () => (frame.value = mark.time * rate.peek()) },
    {
      label: "Rename marker…",
      enabled,
      run: () =>
        askName("Rename marker", mark.name, (name) =>
          doAtOnce({ change: "ChangeMarker", ...here(), index, name }),
        ),
    },
    {
      label: "Remove marker",
      enabled,
      run: () => doAtOnce({ change: "RemoveMarker", ...here(), index }),
    },
  ];
}
