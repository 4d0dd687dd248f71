// Number fields of options and channels: unit, digits, step and limits.

import type { OptionInfo } from "../wire/messages";
import { number, sentence } from "./text";

/** How a number in metres, radians or seconds is shown. */
export interface Measure {
  unit: string; // as shown
  scale: number; // shown = value * scale
  digits: number;
  step: number; // shown, for arrows and drags
}

export function measureOf(unit: string, sceneUnit: string, whole = false): Measure {
  if (whole) return { unit, scale: 1, digits: 0, step: 1 };
  if (unit === "m" && sceneUnit === "cm") return { unit: "cm", scale: 100, digits: 1, step: 0.5 };
  if (unit === "m") return { unit: "m", scale: 1, digits: 3, step: 0.01 };
  if (unit === "seconds") return { unit: "s", scale: 1, digits: 1, step: 0.5 };
  if (unit === "rad") return { unit: "°", scale: 180 / Math.PI, digits: 1, step: 1 };
  return { unit, scale: 1, digits: 2, step: 0.1 };
}

/** The measure of a channel by its kind, such as "rotate_x". */
export function channelMeasure(kind: string, sceneUnit: string): Measure {
  if (kind.startsWith("rotate")) return measureOf("rad", sceneUnit);
  if (kind.startsWith("translate")) return measureOf("m", sceneUnit);
  return measureOf("", sceneUnit);
}

export interface Field {
  name: string;
  label: string;
  kind: OptionInfo["kind"];
  help: string;
  measure: Measure;
  low: number | null; // shown
  high: number | null;
  choices: string[];
  optional: boolean;
  start: OptionInfo["default"]; // what a double click goes back to
}

/** Seconds as frames of a take, as all time on the page is shown. */
export function frameMeasure(rate: number): Measure {
  return { unit: "fr", scale: rate, digits: rate > 60 ? 0 : 1, step: 1 };
}

export function fieldOf(option: OptionInfo, sceneUnit: string, rate: number): Field {
  const timed = option.unit === "s";
  const measure = timed
    ? frameMeasure(rate)
    : measureOf(option.unit ?? "", sceneUnit, option.kind === "int");
  return {
    name: option.name,
    label: option.label || sentence(option.name),
    kind: option.kind,
    help: option.help,
    measure,
    low: scaled(option.low, measure),
    high: scaled(option.high, measure),
    choices: option.choices ?? [],
    optional: option.optional ?? false,
    start: option.default,
  };
}

/** What of an option is used at all, by its name, as it is shown. */
export type Limits = Readonly<Record<string, readonly [low: number, high: number]>>;

/** A field that accepts what is used, and no other numbers. */
export function within(field: Field, limits: Limits): Field {
  const [low, high] = limits[field.name] ?? [-Infinity, Infinity];
  const most = Math.min(field.high ?? Infinity, high);
  const least = Math.min(Math.max(field.low ?? -Infinity, low), most);
  return {
    ...field,
    low: Number.isFinite(least) ? least : null,
    high: Number.isFinite(most) ? most : null,
  };
}

/** A value clamped to the limits of a field. */
export function clamped(field: Field, info: number): number {
  return Math.min(
    Math.max(info, (field.low ?? -Infinity) / field.measure.scale),
    (field.high ?? Infinity) / field.measure.scale,
  );
}

function scaled(value: number | null | undefined, measure: Measure): number | null {
  return value === null || value === undefined ? null : value * measure.scale;
}

/** As text for the field; nothing where there is no number. */
export function shown(info: number | null, measure: Measure): string {
  return info === null ? "" : number(info * measure.scale, measure.digits);
}

/** The value of typed text; undefined where it is no number, null where it is empty. */
export function typed(
  text: string,
  measure: Measure,
  low: number | null = null,
  high: number | null = null,
): number | null | undefined {
  const plain = text
    .replace(",", ".")
    .replace(/[^0-9.eE+-]+$/, "")
    .trim();
  if (plain === "") return text.trim() === "" ? null : undefined;
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  const clamped = Math.min(Math.max(value, low ?? -Infinity), high ?? Infinity);
  const whole = measure.digits === 0 ? Math.round(clamped) : clamped;
  return whole / measure.scale;
}
