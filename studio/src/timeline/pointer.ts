// Mouse, pen and touch input of the sheets: press, drag, wheel, and drags without a button.

import { openMenu } from "../controls/menu";
import { lastFrame, sheet, uiScale } from "../state/view";
import { zoomed, zoomedValues } from "./axis";
import { dopePointer } from "./dopePointer";
import { pan, panBy } from "./dragging";
import type { Gesture, Modifiers, Press } from "./gesture";
import { graphPointer } from "./graphPointer";
import { LABELS, RULER } from "./layout";
import { rulerPointer } from "./rulerPointer";
import type { Sheet } from "./sheet";
import { wasInterrupted } from "./changePreview";
import { axis, hover, readout, scroll, size, values } from "./sheetState";

const FAR = 3; // px until a press is a drag

/** Where the pointer was last, px of the sheet and of the page. */
export const pointer = { x: LABELS + 40, y: RULER + 40, pageX: 0, pageY: 0 };

let place: HTMLElement;
let pressed: { press: Press; x: number; y: number } | null = null;
let gesture: Gesture | null = null;
let loose = false; // held without a button
let spent = false; // this press has only ended something
let touches = new Map<number, { x: number; y: number }>();

export function startPointer(canvas: HTMLElement): void {
  place = canvas;
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", moved);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", (event) => lift(event, true));
  canvas.addEventListener("pointerleave", () => (hover.value = null));
  canvas.addEventListener("dblclick", () => under().twice?.(pointer.x, pointer.y));
  canvas.addEventListener("contextmenu", longPress);
  canvas.addEventListener("wheel", turned, { passive: false });
  addEventListener("keydown", key, true);
}

/** Holds on to a gesture without a button, until the next click, Enter or Esc. */
export function hold(made: Gesture | null): void {
  finish(true);
  gesture = made;
  loose = made !== null;
  place.style.cursor = made?.cursor ?? "default";
}

function under(): Sheet {
  if (pointer.y < RULER && pointer.x >= LABELS) return rulerPointer;
  return sheet.peek() === "graph" ? graphPointer : dopePointer;
}

function locate(event: PointerEvent | WheelEvent): void {
  const edge = place.getBoundingClientRect();
  pointer.x = (event.clientX - edge.left) / uiScale.peek();
  pointer.y = (event.clientY - edge.top) / uiScale.peek();
  pointer.pageX = event.clientX;
  pointer.pageY = event.clientY;
}

function modifiersOf(event: MouseEvent): Modifiers {
  return { shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey };
}

function down(event: PointerEvent): void {
  locate(event);
  if (event.pointerType === "touch" && secondFinger(event)) return;
  spent = loose;
  if (loose) return finish(event.button === 0);
  place.setPointerCapture(event.pointerId);
  hover.value = null;
  const { x, y } = pointer;
  if (event.button === 1) {
    event.preventDefault();
    gesture = pan(x, y, sheet.peek() === "graph");
  } else if (event.button === 0) pressed = { press: under().press(x, y, modifiersOf(event)), x, y };
}

function moved(event: PointerEvent): void {
  locate(event);
  if (touches.size === 2) return pinch(event);
  if (gesture && !loose && (event.buttons & 3) === 3) {
    spent = true; // the right button while the left one drags
    return finish(false);
  }
  const { x, y } = pointer;
  if (pressed && !gesture && Math.hypot(x - pressed.x, y - pressed.y) >= FAR) {
    gesture = pressed.press.drag?.() ?? null;
    if (!gesture) pressed = null;
  }
  if (gesture && wasInterrupted()) return finish(false);
  if (gesture) {
    place.style.cursor = gesture.cursor ?? "default";
    gesture.move(x, y, modifiersOf(event));
    showMessage(gesture);
  } else if (!pressed) {
    const seen = under().hover(x, y);
    hover.value = seen.hover;
    place.style.cursor = seen.cursor;
  }
}

function showMessage(current: Gesture): void {
  const text = current.message?.();
  readout.value = text ? { text, x: pointer.x, y: pointer.y } : null;
}

function up(event: PointerEvent): void {
  const click = pressed && !gesture ? pressed.press.click : null;
  const menu = event.button === 2 && !gesture && !loose && !spent;
  lift(event, false);
  click?.();
  locate(event);
  if (menu) openHere();
}

function openHere(): void {
  const items = under().menu?.(pointer.x, pointer.y);
  if (items) openMenu(items, pointer.pageX, pointer.pageY);
}

/** Replaces the browser's menu; a long press opens ours. */
function longPress(event: MouseEvent): void {
  event.preventDefault();
  if (!(event instanceof PointerEvent) || event.pointerType !== "touch") return;
  finish(false);
  openHere();
}

function lift(event: PointerEvent, lost: boolean): void {
  touches.delete(event.pointerId);
  pressed = null;
  if (!loose) finish(!lost);
}

function finish(keep: boolean): void {
  const ended = gesture;
  gesture = null;
  pressed = null;
  loose = false;
  readout.value = null;
  if (ended) place.style.cursor = "default";
  if (keep && !wasInterrupted()) ended?.end();
  else ended?.cancel();
}

function key(event: KeyboardEvent): void {
  if (!gesture) return;
  const name = event.key.toLowerCase();
  if (name === "escape") finish(false);
  else if (name === "enter") finish(true);
  else if (gesture.press?.(name)) showMessage(gesture);
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function turned(event: WheelEvent): void {
  event.preventDefault();
  locate(event);
  const graph = sheet.peek() === "graph";
  const [dx, dy] = [event.deltaX, event.deltaY].map(
    (each) => each * (event.deltaMode ? 16 : 1),
  ) as [number, number];
  const factor = Math.exp(-Math.max(-120, Math.min(120, dy)) / 480);
  if (pointer.x < LABELS) scroll.value = scroll.peek() + dy;
  else if (event.shiftKey) panBy(-(dx || dy), 0, graph);
  else if (Math.abs(dx) > Math.abs(dy)) panBy(-dx, 0, graph);
  else if (event.altKey && !graph) scroll.value = scroll.peek() + dy;
  else if (event.altKey || (graph && event.ctrlKey))
    values.value = zoomedValues(values.peek(), pointer.y - RULER, factor);
  else zoomTime(pointer.x, factor);
}

/** Never so small that the take is lost in the sheet. */
function zoomTime(x: number, factor: number): void {
  const least = (size.peek().width - LABELS) / (8 * lastFrame.peek() + 400);
  axis.value = zoomed(axis.peek(), x - LABELS, factor, least);
}

/** Two fingers pan and zoom; a drag of the first is cancelled. */
function secondFinger(event: PointerEvent): boolean {
  touches.set(event.pointerId, { x: pointer.x, y: pointer.y });
  if (touches.size > 2) touches = new Map([...touches].slice(-2));
  if (touches.size < 2) return false;
  finish(false);
  return true;
}

function pinch(event: PointerEvent): void {
  const before = [...touches.values()];
  touches.set(event.pointerId, { x: pointer.x, y: pointer.y });
  const after = [...touches.values()];
  const [a, b, c, d] = [before[0], before[1], after[0], after[1]];
  if (!a || !b || !c || !d) return;
  panBy((c.x + d.x - a.x - b.x) / 2, (c.y + d.y - a.y - b.y) / 2, sheet.peek() === "graph");
  const spread = Math.max(Math.abs(c.x - d.x), 20) / Math.max(Math.abs(a.x - b.x), 20);
  zoomTime((c.x + d.x) / 2, spread);
}
