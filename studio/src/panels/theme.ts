// Dark, light or system theme.

import { effect, signal } from "@preact/signals-core";
import { theme } from "../state/view";
import type { IconName } from "../controls/icons";

const system = matchMedia("(prefers-color-scheme: light)");
const systemLight = signal(system.matches);

export const THEMES = [
  { name: "dark", label: "Dark", icon: "moon" },
  { name: "light", label: "Light", icon: "sun" },
  { name: "system", label: "System", icon: "screen" },
] as const satisfies readonly { name: string; label: string; icon: IconName }[];

export function startTheme(): void {
  system.addEventListener("change", () => (systemLight.value = system.matches));
  effect(() => {
    const light = theme.value === "light" || (theme.value === "system" && systemLight.value);
    document.documentElement.dataset["theme"] = light ? "light" : "dark";
  });
}

export function nextTheme(): void {
  const at = THEMES.findIndex((each) => each.name === theme.peek());
  theme.value = THEMES[(at + 1) % THEMES.length]?.name ?? "dark";
}
