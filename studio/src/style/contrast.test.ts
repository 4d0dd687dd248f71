import { expect, test } from "vitest";
import css from "./tokens.css?raw";

function tokens(theme: string): Map<string, string> {
  const block = new RegExp(`data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? "";
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map((each) => [each[1]!, each[2]!]),
  );
}

function light(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const TEXT = ["ink", "quiet"];
const GROUNDS = ["page", "panel", "raised", "hover", "field"];

for (const theme of ["dark", "light"]) {
  const own = tokens(theme);
  const of = (name: string) => own.get(name) ?? "#000000";

  test(`text can be read on every ground, ${theme}`, () => {
    expect(own.size).toBeGreaterThan(20);
    for (const text of TEXT)
      for (const ground of GROUNDS)
        expect(contrast(of(text), of(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of("ink"), of("chosen"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of("quiet"), of("chosen"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of("on-accent"), of("accent"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of("accent"), of("panel"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of("short"), of("panel"))).toBeGreaterThanOrEqual(4.5);
  });

  test(`markers stand out from panels and viewport, ${theme}`, () => {
    for (const sign of [
      "key",
      "past",
      "future",
      "pin",
      "contact",
      "layer",
      "constraint",
      "ghost",
      "before",
      "short",
      "accent",
    ])
      for (const ground of ["panel", "raised", "stage-top", "stage-bottom"])
        expect(contrast(of(sign), of(ground)), `${sign} on ${ground}`).toBeGreaterThanOrEqual(3);
  });
}
