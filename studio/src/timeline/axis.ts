// Frames and values to CSS pixels of the sheet, and back.

export interface TimeAxis {
  start: number; // frame at the left edge
  perFrame: number; // px
}

export interface ValueAxis {
  top: number; // value at the upper edge
  perUnit: number; // px
}

export interface Tick {
  at: number;
  label: string; // "" where there is no room for one
}

const NARROWEST = 0.02; // px per frame
const WIDEST = 160;
const MARGIN = 28; // px left free at both ends when everything is framed

export function xOf(axis: TimeAxis, frame: number): number {
  return (frame - axis.start) * axis.perFrame;
}

export function frameOf(axis: TimeAxis, x: number): number {
  return axis.start + x / axis.perFrame;
}

export function yOf(axis: ValueAxis, value: number): number {
  return (axis.top - value) * axis.perUnit;
}

export function valueOf(axis: ValueAxis, y: number): number {
  return axis.top - y / axis.perUnit;
}

/** Zoomed so that what is under the pointer stays there; no smaller than `least` px per frame. */
export function zoomed(axis: TimeAxis, x: number, factor: number, least = NARROWEST): TimeAxis {
  const perFrame = Math.min(Math.max(axis.perFrame * factor, least), WIDEST);
  return { start: frameOf(axis, x) - x / perFrame, perFrame };
}

export function zoomedValues(axis: ValueAxis, y: number, factor: number): ValueAxis {
  const perUnit = Math.min(Math.max(axis.perUnit * factor, 1e-4), 1e7);
  return { top: valueOf(axis, y) + y / perUnit, perUnit };
}

/** First to last across the width, with a little room at the ends. */
export function framing(first: number, last: number, width: number): TimeAxis {
  const length = Math.max(last - first, 1);
  const room = Math.max(width - 2 * MARGIN, 40);
  const perFrame = Math.min(Math.max(room / length, NARROWEST), WIDEST);
  const middle = (first + last) / 2;
  return { start: middle - width / 2 / perFrame, perFrame };
}

export function framingValues(low: number, high: number, height: number): ValueAxis {
  const length = Math.max(high - low, 1e-6 + 1e-3 * Math.abs(high));
  const perUnit = Math.max(height - 44, 20) / length;
  return { top: (low + high) / 2 + height / 2 / perUnit, perUnit };
}

const FRAME_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000];

/** Marks at whole frames; labels thin out before they touch, marks before they blur. */
export function frameTicks(axis: TimeAxis, width: number): Tick[] {
  const fit = (room: number) => FRAME_STEPS.find((step) => step * axis.perFrame >= room) ?? 1e5;
  const every = fit(6);
  const widest = String(Math.ceil(Math.max(Math.abs(axis.start), Math.abs(frameOf(axis, width)))));
  const named = Math.max(fit(18 + 7 * widest.length), every);
  const ticks: Tick[] = [];
  for (let i = Math.ceil(axis.start / every); i * every <= frameOf(axis, width); i++) {
    const at = i * every;
    ticks.push({ at, label: at % named === 0 ? String(at) : "" });
  }
  return ticks;
}

/** Values 1, 2 or 5 times a power of ten apart, at least `room` px from each other. */
export function valueTicks(axis: ValueAxis, height: number, room = 26): Tick[] {
  const least = room / axis.perUnit;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5, 10].find((each) => each * power >= least * 0.999) ?? 10) * power;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks: Tick[] = [];
  for (let i = Math.ceil(valueOf(axis, height) / step); i * step <= axis.top; i++)
    ticks.push({ at: i * step, label: (i * step).toFixed(digits).replace(/^-(0(\.0+)?)$/, "$1") });
  return ticks;
}
