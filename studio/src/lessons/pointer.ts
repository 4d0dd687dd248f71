// Points at the next action: a ring around a part of the page, or an arrow at a curve.

import { effect } from "@preact/signals-core";
import { going, seen, stepOf } from "./guide";
import type { Target } from "./lesson";

/** What the viewport can tell of places on the screen. */
interface Handle {
  curveAt?: (
    point: { joint: string; offset: number[]; character: string },
    frame: number,
  ) => Place | null;
  handles?: () => Record<string, Place | null>;
  timeline?: { event: (index: number) => Place | null };
}

type Place = [number, number];

export function startPointer(): void {
  const ring = made("lesson-ring");
  const arrow = made("lesson-arrow");
  let scheduled = 0;
  const place = () => {
    const now = going.peek();
    const step = now && stepOf(now);
    const target = step && now.start ? (step.target?.(seen.peek()) ?? null) : null;
    ringAt(ring, target);
    arrowAt(arrow, target);
    scheduled = now ? requestAnimationFrame(place) : 0;
  };
  effect(() => {
    if (going.value && !scheduled) scheduled = requestAnimationFrame(place);
  });
}

function made(name: string): HTMLElement {
  const place = document.createElement("div");
  place.className = name;
  place.hidden = true;
  document.body.append(place);
  return place;
}

function ringAt(ring: HTMLElement, target: Target | null): void {
  const found = target && "css" in target ? document.querySelector(target.css) : null;
  const box = found?.getBoundingClientRect();
  ring.hidden = !box || box.width === 0;
  if (!box) return;
  ring.style.transform = `translate(${box.left - 4}px, ${box.top - 4}px)`;
  ring.style.width = `${box.width + 8}px`;
  ring.style.height = `${box.height + 8}px`;
}

function arrowAt(arrow: HTMLElement, target: Target | null): void {
  const at = target && placeOf(target);
  arrow.hidden = !at;
  if (at) arrow.style.transform = `translate(${at[0]}px, ${at[1]}px)`;
}

function placeOf(target: Target): Place | null | undefined {
  const page = (window as { arcwright?: Handle }).arcwright;
  if ("handle" in target) return page?.handles?.()[target.handle];
  if ("event" in target) return page?.timeline?.event(target.event);
  if (!("joint" in target)) return null;
  const point = { joint: target.joint, offset: [0, 0, 0], character: seen.peek().character };
  return page?.curveAt?.(point, target.frame);
}
