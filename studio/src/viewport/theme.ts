// Theme colours for the viewport; read again when the theme changes.

import { signal } from "@preact/signals-core";
import { Color } from "three";

const NAMES = [
  "stage-top",
  "stage-bottom",
  "grid",
  "ink",
  "accent",
  "key",
  "past",
  "future",
  "edited",
  "pin",
  "contact",
  "constraint",
  "ghost",
  "before",
  "short",
] as const;

export type ColourName = (typeof NAMES)[number];
export type ThemeColours = Readonly<Record<ColourName, Color>> & { readonly dark: boolean };

export const AXIS_COLOURS = ["#ff5d6c", "#7fce4b", "#4f9dff"] as const;

export const themeColours = signal<ThemeColours>(read());

function read(): ThemeColours {
  const style = getComputedStyle(document.documentElement);
  const colours = Object.fromEntries(
    NAMES.map((name) => [name, new Color(style.getPropertyValue(`--${name}`).trim() || "#888888")]),
  ) as Record<ColourName, Color>;
  const top = { h: 0, s: 0, l: 0 };
  colours["stage-top"].getHSL(top, "srgb");
  return { ...colours, dark: top.l < 0.5 };
}

export function watchTheme(): void {
  const again = () => requestAnimationFrame(() => (themeColours.value = read()));
  new MutationObserver(again).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["data-theme", "class"],
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  again();
}
