// Redraws the sheets when their state changes; the playhead has a canvas of its own.

import { effect } from "@preact/signals-core";
import {
  chosenChannels,
  selectedConstraint,
  frame,
  lastFrame,
  playing,
  playRange,
  sheet,
} from "../state/view";
import { chosenLayer } from "../state/layers";
import { colours, faded, type Colours } from "./colours";
import { dopeView } from "./dopePointer";
import { drawDope } from "./dopeDraw";
import { editPartAt, editRange, shadeEdit } from "./editRange";
import { graphView } from "./graphPointer";
import { drawGraph } from "./graphDraw";
import { LABELS, mostScroll, ROW, RULER } from "./layout";
import { drawMarkers } from "./markers";
import { pointer } from "./pointer";
import { drawPlayhead, drawRuler, shadeOutside } from "./ruler";
import { rangeEndAt } from "./rulerPointer";
import { partOf } from "./rows";
import {
  axis,
  before,
  box,
  chosenJoints,
  chosenShown,
  draggedBar,
  hover,
  live,
  readout,
  rig,
  rows,
  scroll,
  shown,
  size,
  still,
} from "./sheetState";
import { surface, upright } from "./surface";
import { drawSpans } from "./toolSpans";

export function startDrawing(place: HTMLElement): HTMLElement {
  const under = surface(place, "sheet", "Dope sheet and graph editor");
  const over = surface(place, "playhead");
  const pixels = { ratio: devicePixelRatio };
  new ResizeObserver(() => {
    pixels.ratio = devicePixelRatio;
    size.value = { width: place.clientWidth, height: place.clientHeight };
  }).observe(place);
  addEventListener("resize", () => {
    // a page moved to a finer screen keeps its size, but not its pixels
    if (pixels.ratio !== devicePixelRatio) size.value = { ...size.peek() };
    pixels.ratio = devicePixelRatio;
  });
  drawOnChange(() => drawSheet(under.begin()), requestAnimationFrame);
  drawOnChange(() => drawOver(over.begin()), queueMicrotask); // in step with the character
  return under.canvas;
}

/** Draws again whenever a signal that the last drawing has read changes: not at once, but `soon`. */
function drawOnChange(paint: () => void, soon: (again: () => void) => void): void {
  const watch = () => {
    let painted = false;
    const stop = effect(() => {
      if (painted) {
        soon(() => {
          stop();
          watch();
        });
        return;
      }
      painted = true;
      paint();
    });
  };
  watch();
}

function drawSheet(c: CanvasRenderingContext2D): void {
  const { width, height } = size.value;
  const theme = colours.value;
  const graph = sheet.value === "graph";
  const lit = hover.value && rangeEndAt(pointer.x, pointer.y);
  const edit = editRange.value;
  const litEdit = hover.value !== null && editPartAt(pointer.x, pointer.y) !== null;
  const ruler = {
    axis: axis.value,
    width,
    height,
    last: lastFrame.value,
    range: playRange.value,
    lit,
    edit,
    litEdit,
  };
  const bounded = Math.min(Math.max(scroll.value, 0), mostScroll(rows.value.length, height));
  if (bounded !== scroll.peek()) scroll.value = bounded;
  c.fillStyle = theme.panel;
  c.fillRect(0, 0, width, height);
  shadeOutside(c, ruler, theme);
  if (edit) shadeEdit(c, axis.value, edit, width, height, theme);
  const common = { width, height, chosen: chosenShown.value, hover: hover.value };
  if (graph) {
    const own = rig.value;
    const nameOf = (channel: number) => (own ? partOf(own, channel) : "");
    drawGraph(c, { ...graphView(), ...common, ...compared(), partOf: nameOf }, theme);
  } else {
    drawDope(
      c,
      {
        ...dopeView(),
        ...common,
        scroll: bounded,
        keys: shown.value,
        chosenJoints: chosenJoints.value,
        chosenChannels: chosenChannels.value,
        selectedConstraint: selectedConstraint.value,
        chosenLayer: chosenLayer(),
        draggedBar: draggedBar.value,
      },
      theme,
    );
    drawScrollbar(c, bounded, theme);
  }
  drawSpans(c, axis.value, width, height, theme);
  drawRuler(c, ruler, theme);
  drawMarkers(c, axis.value, width, height, theme);
  c.fillStyle = theme.edge;
  upright(c, LABELS - 1, 0, height);
}

/** Curves as they were, faint, and as they are: of a drag, or of the last edit in the viewport. */
function compared() {
  const [now, changed] = [still.value, before.value];
  if (live.value.size || !changed.size) return { still: now, live: live.value };
  const own = [...changed.keys()].flatMap((each) => {
    const curve = now.get(each);
    return curve ? [[each, curve] as const] : [];
  });
  return { still: new Map([...now, ...changed]), live: new Map(own) };
}

function drawScrollbar(c: CanvasRenderingContext2D, at: number, theme: Colours): void {
  const { width, height } = size.value;
  const most = mostScroll(rows.value.length, height);
  if (most === 0) return;
  const room = height - RULER - ROW - 4;
  const length = Math.max(20, (room * room) / (room + most));
  c.fillStyle = faded(theme.quiet, 0.5);
  c.beginPath();
  c.roundRect(width - 7, RULER + ROW + 2 + ((room - length) * at) / most, 4, length, 2);
  c.fill();
}

function drawOver(c: CanvasRenderingContext2D): void {
  const { width, height } = size.value;
  const theme = colours.value;
  const now = playing.value ? Math.floor(frame.value) : frame.value;
  drawPlayhead(c, axis.value, now, width, height, theme);
  const drawn = box.value;
  if (drawn) {
    c.fillStyle = faded(theme.accent, 0.15);
    c.strokeStyle = theme.accent;
    c.setLineDash([4, 3]);
    c.beginPath();
    c.rect(drawn.x0, drawn.y0, drawn.x1 - drawn.x0, drawn.y1 - drawn.y0);
    c.fill();
    c.stroke();
    c.setLineDash([]);
  }
  const drawnText = readout.value ?? hover.value;
  if (drawnText) drawLabel(c, drawnText, theme);
}

/** Names what is under the pointer. */
function drawLabel(
  c: CanvasRenderingContext2D,
  drawnText: { text: string; x: number; y: number },
  theme: Colours,
): void {
  const { text, x, y } = drawnText;
  const { width, height } = size.value;
  c.font = `11.5px ${theme.font}`;
  c.textAlign = "left";
  const wide = c.measureText(text).width + 14;
  const left = Math.min(x + 12, width - wide - 4);
  const top = y + 34 > height ? y - 30 : y + 14;
  c.beginPath();
  c.roundRect(left, top, wide, 20, 4);
  c.fillStyle = theme.raised;
  c.strokeStyle = theme.edge;
  c.fill();
  c.stroke();
  c.fillStyle = theme.ink;
  c.fillText(text, left + 7, top + 10.5);
}
