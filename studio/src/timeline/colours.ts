// Theme colours for the canvas; read again when the theme changes.

import { signal } from "@preact/signals-core";

const NAMES = [
  "page",
  "panel",
  "raised",
  "edge",
  "ink",
  "quiet",
  "faint",
  "accent",
  "on-accent",
  "key",
  "pin",
  "contact",
  "layer",
  "constraint",
  "edited",
  "ghost",
  "before",
  "short",
  "axis-x",
  "axis-y",
  "axis-z",
  "axis-w",
  "font",
] as const;

export type Colours = Record<(typeof NAMES)[number], string> & { chosen: string; dark: boolean };

export const colours = signal<Colours>({} as Colours);

export function watchColours(): void {
  const read = () => (colours.value = readColours());
  read();
  new MutationObserver(read).observe(document.documentElement, {
    attributeFilter: ["data-theme", "class", "style"],
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", read);
}

function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const info = Object.fromEntries(
    NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  );
  return {
    ...(info as Record<(typeof NAMES)[number], string>),
    chosen: style.getPropertyValue("--key-chosen").trim(),
    dark: style.colorScheme !== "light",
  };
}

/** A colour seen through: for fills that let the lines below be seen. */
export function faded(colour: string, share: number): string {
  return `color-mix(in srgb, ${colour} ${Math.round(100 * share)}%, transparent)`;
}

/** Red, green, blue and violet by component, as gizmos have it. */
export function axisColour(theme: Colours, part: string): string {
  const name = `axis-${part}` as keyof Colours;
  return (theme[name] as string | undefined) || theme.quiet;
}
