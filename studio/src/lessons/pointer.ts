// Points at the next action: a ring around a part of the page, or an arrow at a curve.

import { effect } from "@preact/signals-core";
import { going, seen, stepOf } from "./guide";
import type { Target } from "./lesson";

/** What the viewport can tell of places on the screen. */
interface Handle {
  curveAt?: (
    point: { joint: string; offset: number[]; character: string },
    frame: number,
  ) => [number, number] | null;
}

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
  const handle = (window as { arcwright?: Handle }).arcwright;
  const point = target && "joint" in target ? target : null;
  const at =
    point &&
    handle?.curveAt?.(
      { joint: point.joint, offset: [0, 0, 0], character: seen.peek().character },
      point.frame,
    );
  arrow.hidden = !at;
  if (at) arrow.style.transform = `translate(${at[0]}px, ${at[1]}px)`;
}
