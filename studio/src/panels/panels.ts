import type { Shell } from "./shell";

export function buildPanels(shell: Shell): void {
  shell.bar.textContent = "Arcwright";
}
