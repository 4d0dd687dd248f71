// Which side panels are open; on narrow screens they lie over the viewport and start closed.

import { effect, signal } from "@preact/signals-core";

const wide = matchMedia("(min-width: 1180px)");

export const leftOpen = signal(stored("left"));
export const rightOpen = signal(stored("right"));

export function startLayout(root: HTMLElement): void {
  effect(() => {
    root.toggleAttribute("data-left-closed", !leftOpen.value);
    root.toggleAttribute("data-right-closed", !rightOpen.value);
  });
  wide.addEventListener("change", () => {
    leftOpen.value = stored("left");
    rightOpen.value = stored("right");
  });
}

export function toggle(side: "left" | "right"): void {
  const place = side === "left" ? leftOpen : rightOpen;
  place.value = !place.peek();
  // narrow and wide are remembered apart: a tablet turned upright is another desk
  localStorage.setItem(keptAs(side), String(place.peek()));
}

function keptAs(side: string): string {
  return `arcwright.panel.${side}.${wide.matches ? "wide" : "narrow"}`;
}

function stored(side: string): boolean {
  const info = localStorage.getItem(keptAs(side));
  return info === null ? wide.matches : info === "true";
}
