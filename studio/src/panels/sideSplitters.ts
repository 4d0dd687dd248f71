// Splitters beside the viewport: drag them, or use the arrow keys, for wider or narrower panels.

import { effect, type Signal } from "@preact/signals-core";
import { placeIn } from "../controls/draw";
import { kept } from "../state/view";

const LEAST = 160; // px
const MOST = 0.4; // of the window

export function buildSideSplitters(stage: HTMLElement): void {
  splitter(stage, "left", kept<number | null>("leftWidth", null), 1);
  splitter(stage, "right", kept<number | null>("rightWidth", null), -1);
}

/** Without a width of its own a panel is as wide as the window suggests; a double click goes back to that. */
function splitter(
  stage: HTMLElement,
  side: "left" | "right",
  width: Signal<number | null>,
  way: 1 | -1,
): void {
  const edge = placeIn(stage, `side-splitter ${side}`);
  edge.tabIndex = 0;
  edge.role = "separator";
  edge.ariaOrientation = "vertical";
  edge.ariaLabel = side === "left" ? "Width of the scene panel" : "Width of the options panel";
  const root = stage.parentElement!;
  const now = () => root.querySelector(`:scope > .${side}`)?.clientWidth ?? LEAST;
  const set = (px: number) =>
    (width.value = Math.round(Math.min(Math.max(px, LEAST), MOST * innerWidth)));
  effect(() => {
    const own = width.value;
    if (own === null) root.style.removeProperty(`--${side}-width`);
    else root.style.setProperty(`--${side}-width`, `${own}px`);
    edge.ariaValueNow = String(own ?? 0);
    edge.ariaValueText = own === null ? "automatic" : `${own} pixels`;
  });
  edge.addEventListener("pointerdown", (event) => {
    edge.setPointerCapture(event.pointerId);
    event.stopPropagation();
    const from = now() - way * event.clientX;
    const follow = (moved: PointerEvent) => set(from + way * moved.clientX);
    edge.addEventListener("pointermove", follow);
    const end = () => edge.removeEventListener("pointermove", follow);
    edge.addEventListener("lostpointercapture", end, { once: true });
  });
  edge.addEventListener("dblclick", () => (width.value = null));
  edge.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowRight" ? 16 * way : event.key === "ArrowLeft" ? -16 * way : 0;
    if (!by) return;
    set(now() + by);
    event.preventDefault();
    event.stopPropagation();
  });
}
