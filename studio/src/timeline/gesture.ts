// A gesture from press to release, and the arithmetic that drags share.

export interface Modifiers {
  shift: boolean; // precise
  ctrl: boolean; // snap the other way
}

export interface Gesture {
  cursor?: string;
  /** How far it has come, as text. */
  message?(): string;
  /** Where the pointer is, px of the sheet. */
  move(x: number, y: number, modifiers: Modifiers): void;
  end(): void;
  cancel(): void;
  /** A key pressed meanwhile; true if it meant something. */
  press?(key: string): boolean;
}

export interface Press {
  click?(): void;
  drag?(): Gesture | null;
}

/** How far the pointer has come; with Shift a tenth of it. */
export class Way {
  dx = 0;
  dy = 0;

  constructor(
    private x: number,
    private y: number,
  ) {}

  go(x: number, y: number, modifiers: Modifiers): void {
    const share = modifiers.shift ? 0.1 : 1;
    this.dx += share * (x - this.x);
    this.dy += share * (y - this.y);
    this.x = x;
    this.y = y;
  }
}

/** Frames by which keys move so that the dragged one lands on a whole frame. */
export function snappedMove(from: number, frames: number, snap: boolean): number {
  const whole = Math.round(from);
  const start = Math.abs(from - whole) < 1e-3 ? whole : from; // float32 times are not quite whole
  return snap ? Math.round(start + frames) - start : frames;
}

/** A factor so that the key furthest from the pivot lands on a whole frame. */
export function snappedScale(
  factor: number,
  pivot: number,
  furthest: number,
  snap: boolean,
): number {
  const reach = furthest - pivot;
  const least = Math.max(factor, 0.01);
  if (!snap || Math.abs(reach) < 1e-6) return least;
  const target = Math.round(pivot + reach * least) - pivot;
  return target / reach > 0 ? target / reach : least;
}

/** How much larger: the distance from the pivot now to that at first, never from too near. */
export function growth(from: number, pivot: number, moved: number): number {
  const base = from - pivot;
  const safe = Math.abs(base) < 40 ? 40 * (base < 0 ? -1 : 1) : base;
  return (safe + moved) / safe;
}
