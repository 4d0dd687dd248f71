// Mouse, pen and touch input of the viewport.

import { effect, untracked } from "@preact/signals-core";
import { openMenu } from "../controls/menu";
import { ACTIONS } from "../devices/device";
import { pause } from "../state/playback";
import { curves, documentState } from "../state/document";
import { armed, selectedConstraint, frame, lastFrame, playing, points, rate } from "../state/view";
import { project } from "../viewport/projection";
import { frameOf, type Pick } from "../viewport/pick";
import { pick } from "../viewport/picking";
import { curveOf, sampleAt } from "../viewport/motionCurve";
import type { Stage } from "../viewport/stage";
import { activeTool } from "../tools/shared/registry";
import type { PointRef } from "../wire/messages";
import { viewOnly } from "../wire/role";
import { beginAtPress, beginWhenMoved, startOf } from "./beginGesture";
import { contextItems } from "./contextMenu";
import { activeGesture, type ActiveGesture, type PointerSample } from "../viewport/activeGesture";
import { commitOpen, interaction } from "../state/interaction";
import { Hover } from "./hover";
import { go, notches, Pinch, roll, wayOf, type Way } from "./navigate";
import { samplesOf } from "./samples";
import { scaleTimeByWheel } from "./timeWheel";
import { lead, select, selectNothing } from "./select";

const LONG_PRESS = 550; // ms

interface Press {
  id: number;
  x: number;
  y: number;
  lastX: number;
  lastY: number;
  found: Pick;
  way: Way | null;
  add: boolean;
  slide: boolean;
  alt: boolean;
  button: number;
  moved: boolean;
  paused: boolean; // playback, by this press
}

export class Pointer {
  readonly hover: Hover;
  private press: Press | null = null;
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private pinch: Pinch | null = null;
  private hold = 0;

  constructor(private readonly stage: Stage) {
    this.hover = new Hover(stage);
    stage.turned = () => {
      if (!this.press && !this.pinch && !activeGesture.peek()) this.hover.again();
    };
    effect(() => {
      if (activeGesture.value && !this.press) this.hover.leave(); // one that began without a press
    });
    effect(() => {
      void [documentState.value, curves.value, points.value]; // what was marked may be gone
      if (!this.press && !this.pinch && !activeGesture.peek()) untracked(() => this.hover.again());
    });
    const { canvas } = stage;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.cancel(event));
    canvas.addEventListener("pointerleave", () => this.hover.out());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    // before the page's own keys: X is an axis while dragging
    addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  private at(event: MouseEvent): { x: number; y: number } {
    const edge = this.stage.canvas.getBoundingClientRect();
    return { x: event.clientX - edge.left, y: event.clientY - edge.top };
  }

  private samples(event: PointerEvent): PointerSample[] {
    return samplesOf(event, this.stage.canvas.getBoundingClientRect());
  }

  private down(event: PointerEvent): void {
    const { x, y } = this.at(event);
    this.stage.canvas.focus({ preventScroll: true });
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.stage.hint.hide();
    if (event.pointerType === "touch") {
      this.fingers.set(event.pointerId, { x, y });
      const keeps = activeGesture.peek()?.keepsFingers;
      if (this.fingers.size === 2 && !keeps) return this.beginPinch();
    }
    if (activeGesture.peek() || this.press) return;
    const way = wayOf(event);
    const found = pick(this.stage, x, y, event.pointerType !== "touch");
    const { pointerId: id, shiftKey: add, ctrlKey: slide, altKey: alt, button } = event;
    const drags = way === null && button === 0 && !viewOnly.peek();
    if (drags && !goesOn(found)) commitOpen();
    if (drags) beginAtPress(this.stage, event, found);
    const paused = playing.peek() && drags && !activeGesture.peek() && holdsStill(found);
    if (paused) pause();
    this.press = {
      id,
      x,
      y,
      lastX: x,
      lastY: y,
      found,
      way,
      add,
      slide,
      alt,
      button,
      moved: false,
      paused,
    };
    this.hover.show(found, x, y);
    clearTimeout(this.hold);
    if (event.pointerType !== "mouse")
      this.hold = window.setTimeout(() => this.longPress(), LONG_PRESS);
    event.preventDefault();
  }

  private beginPinch(): void {
    activeGesture.peek()?.cancel();
    if (this.press) this.resume(this.press);
    this.press = null;
    clearTimeout(this.hold);
    this.pinch = new Pinch(this.stage.orbit);
  }

  private move(event: PointerEvent): void {
    const { x, y } = this.at(event);
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, { x, y });
    if (this.pinch) return this.pinch.to([...this.fingers.values()]);
    const { press } = this;
    if (this.isOther(event)) return;
    if (!press && !activeGesture.peek()) return void this.hover.soon(x, y, event.pointerType);
    if (press && !press.moved && Math.hypot(x - press.x, y - press.y) >= startOf(press.found))
      this.startMoving(press, x, y);
    const gesture = activeGesture.peek();
    if (gesture && event.buttons & 2) return this.cancelGesture(gesture);
    if (gesture) return gesture.to(this.samples(event), event.shiftKey);
    if (!press?.moved) return;
    if (press.way) go(this.stage.orbit, press.way, x - press.lastX, y - press.lastY);
    [press.lastX, press.lastY] = [x, y];
  }

  private startMoving(press: Press, nowX: number, nowY: number): void {
    clearTimeout(this.hold);
    press.moved = true;
    if (press.way !== null) return;
    this.hover.leave();
    if (activeGesture.peek()) return; // begun at the press
    if (beginWhenMoved(this.stage, { ...press, nowX, nowY }, press.found)) return;
    press.way = "orbit";
    this.resume(press);
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    clearTimeout(this.hold);
    if (this.pinch) {
      if (this.fingers.size === 0) this.pinch = null;
      return;
    }
    const { press } = this;
    if (this.isOther(event) || (press && event.button !== press.button)) return;
    this.press = null;
    const { x, y } = this.at(event);
    const gesture = activeGesture.peek();
    const clicked = press && !press.moved;
    if (clicked) gesture?.cancel();
    else gesture?.commit(event.timeStamp / 1000);
    if (clicked) this.click(press);
    this.hover.soon(x, y, event.pointerType);
  }

  private cancel(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.isOther(event)) return;
    clearTimeout(this.hold);
    this.press = null;
    this.pinch = null;
    activeGesture.peek()?.cancel();
  }

  /** Whether an event is of another pointer than the one that is pressed, such as the hand beside a pen. */
  private isOther(event: PointerEvent): boolean {
    return this.press !== null && event.pointerId !== this.press.id;
  }

  private cancelGesture(gesture: ActiveGesture): void {
    gesture.cancel();
    if (this.press) this.press.way = null; // the rest of this press does nothing
    this.press = this.press && { ...this.press, moved: true };
  }

  private click(press: Press): void {
    this.resume(press);
    // only a drag means the arrows: a click goes to what lies under them
    const found =
      press.found.kind === "gizmo" ? pick(this.stage, press.x, press.y, true, false) : press.found;
    if (press.button === 2) return this.menu({ ...press, found });
    if (press.button !== 0) return;
    if (press.alt) {
      if (found.kind === "curve" || found.kind === "key")
        frame.value = Math.min(Math.round(found.frame), lastFrame.peek());
      return;
    }
    if (found.kind === "constraint")
      selectedConstraint.value = { kind: "constraint", index: found.info.index };
    else if (found.kind === "marker")
      selectedConstraint.value = {
        kind: found.pointConstraint.kind,
        index: found.pointConstraint.index,
      };
    else if (found.kind === "body") select(found.point, press.add);
    else if (found.kind === "handle") showMoment(found.info.time);
    else if (found.kind === "empty") selectNothing();
    else if (found.kind !== "gizmo") lead(found.point);
  }

  /** What was pressed is not dragged: playback goes on. */
  private resume(press: Press): void {
    if (press.paused) playing.value = true;
  }

  private menu(press: Press): void {
    const edge = this.stage.canvas.getBoundingClientRect();
    this.hover.leave();
    openMenu(
      contextItems(press.found, frameOf(press.found)),
      edge.left + press.x,
      edge.top + press.y,
    );
  }

  /** A long press of a finger or pen opens the menu. */
  private longPress(): void {
    const { press } = this;
    if (!press || press.moved) return;
    activeGesture.peek()?.cancel();
    this.press = null;
    this.menu(press);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.at(event);
    const gesture = activeGesture.peek();
    if (gesture)
      return gesture.adjust?.(event.altKey ? "reach" : "chain", event.deltaY < 0 ? 1 : -1);
    const tick = event.ctrlKey || !activeTool().verbs.includes("time") ? null : this.tickAt(x, y);
    if (tick && !activeTool().refusal(tick.point, tick.frame))
      return scaleTimeByWheel(tick.point, tick.frame, -notches(event));
    roll(this.stage.orbit, event, x, y);
  }

  private tickAt(x: number, y: number): { point: PointRef; frame: number } | null {
    const found = pick(this.stage, x, y);
    const onTick = found.kind === "curve" || (found.kind === "key" && found.tick === true);
    const curve = onTick ? curveOf(found.point) : null;
    if (!onTick || !curve) return null;
    const at = Math.round(found.frame);
    const world = sampleAt(curve, at);
    const seen = world && project(this.stage.orbit, world);
    return seen && Math.hypot(seen.x - x, seen.y - y) < 6
      ? { point: found.point, frame: at }
      : null;
  }

  private key(event: KeyboardEvent): void {
    const gesture = activeGesture.peek();
    const taken = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    const undoes = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === "z";
    if (undoes && (gesture?.lock || gesture?.hold)) {
      taken();
      return this.cancelGesture(gesture); // the drag itself, not the step before it
    }
    if (event.key === "Escape" && (gesture || armed.peek())) {
      taken();
      armed.value = null;
      this.stage.hint.hide();
      this.stage.changed();
      if (gesture) this.cancelGesture(gesture);
      return;
    }
    if (gesture?.adjust && (event.key === "PageUp" || event.key === "PageDown")) {
      taken();
      return gesture.adjust(event.altKey ? "reach" : "chain", event.key === "PageUp" ? 1 : -1);
    }
    if (gesture?.hold && event.key.toLowerCase() === "h") {
      taken();
      if (!event.repeat) gesture.hold();
      return;
    }
    const action = ACTIONS[Number(event.key) - 1];
    if (gesture?.act && action && !event.ctrlKey && !event.metaKey && !event.altKey) {
      taken();
      if (!event.repeat) gesture.act(action);
      this.press = this.press && { ...this.press, moved: true }; // no click: something was performed
      return;
    }
    const axis = ["x", "y", "z"].indexOf(event.key.toLowerCase());
    if (!gesture?.lock || axis < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    taken();
    if (!event.repeat) gesture.lock(axis);
  }
}

/** Goes to the moment that a handle edits. */
function showMoment(time: number | null): void {
  if (time === null) return;
  playing.value = false;
  frame.value = Math.min(Math.round(time * rate.peek()), lastFrame.peek());
}

/** Whether a press may go on with an open interaction. */
function goesOn(found: Pick): boolean {
  if (interaction.peek()?.unkeyed) return true; // the same pose goes on, a click only selects
  return found.kind === "handle" || ("tick" in found && found.tick === true);
}

/** Whether a press pauses playback: what is dragged must stand still, except a curve by a tool that bends curves. */
function holdsStill(found: Pick): boolean {
  if (["curve", "key", "arrow"].includes(found.kind)) return !activeTool().dragsCurves;
  return found.kind !== "empty";
}
