// How large the interface is drawn: bars, panels, timeline, dialogs and menus; not the picture.

import { effect } from "@preact/signals-core";
import type { Command } from "../state/commands";
import { uiScale } from "../state/view";

const SCALES = [0.9, 1, 1.15, 1.3, 1.5];

export function startUiScale(): void {
  effect(() => document.documentElement.style.setProperty("--ui", String(uiScale.value)));
}

/** The next larger or smaller one. */
function step(way: 1 | -1): void {
  const at = SCALES.indexOf(uiScale.peek());
  uiScale.value = SCALES[Math.min(Math.max(at + way, 0), SCALES.length - 1)] ?? 1;
}

export const UI_SCALE: Command[] = [
  {
    id: "view.size_larger",
    label: "Larger interface",
    group: "View",
    hotkey: "Ctrl+Alt+ArrowUp",
    run: () => step(1),
  },
  {
    id: "view.size_smaller",
    label: "Smaller interface",
    group: "View",
    hotkey: "Ctrl+Alt+ArrowDown",
    run: () => step(-1),
  },
  ...SCALES.map((each): Command => ({
    id: `view.size_${each}`,
    label: `Interface: ${Math.round(100 * each)} %`,
    group: "View",
    checked: () => uiScale.value === each,
    run: () => (uiScale.value = each),
  })),
];
