// The splitter above the timeline.

import { effect, type Signal } from "@preact/signals-core";
import { placeIn } from "../controls/draw";
import { isStill } from "../state/composition";

const LEAST = 120; // px
const ORDINARY = 236;
const OF_STILL = 84; // px, of the transport alone

export function buildSplitter(place: HTMLElement, height: Signal<number>): void {
  const edge = placeIn(place, "splitter");
  edge.tabIndex = 0;
  edge.setAttribute("role", "separator");
  edge.setAttribute("aria-orientation", "horizontal");
  edge.ariaLabel = "Height of the timeline";
  const set = (wanted: number) =>
    (height.value = Math.min(Math.max(wanted, LEAST), innerHeight - 240));
  effect(() => {
    edge.ariaValueNow = String(Math.round(height.value));
    edge.ariaValueText = `${Math.round(height.value)} pixels`;
  });
  effect(() => {
    const shown = isStill.value ? Math.min(OF_STILL, height.value) : height.value;
    place.parentElement?.style.setProperty("--sheet-height", `${shown}px`);
  });
  edge.addEventListener("pointerdown", (event) => {
    edge.setPointerCapture(event.pointerId);
    const from = event.clientY + height.peek();
    const follow = (now: PointerEvent) => set(from - now.clientY);
    edge.addEventListener("pointermove", follow);
    edge.addEventListener(
      "lostpointercapture",
      () => edge.removeEventListener("pointermove", follow),
      { once: true },
    );
  });
  edge.addEventListener("dblclick", () => set(ORDINARY));
  edge.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowUp" ? 20 : event.key === "ArrowDown" ? -20 : 0;
    if (!by) return;
    set(height.peek() + by);
    event.preventDefault();
    event.stopPropagation();
  });
}
