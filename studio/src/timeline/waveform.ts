// The waveform of a sound: its peaks, and how they are drawn.

import { pixelsPer } from "./surface";

/** Highest of |samples| in equal stretches of a sound, over all channels, 0 to 1. */
export class Peaks {
  /** Of `PER` samples each, then of twice as many, and so on. */
  private readonly levels: Float32Array[] = [];

  constructor(
    channels: readonly Float32Array[],
    private readonly rate: number,
  ) {
    let level = finest(channels);
    this.levels.push(level);
    while (level.length > 1) this.levels.push((level = halved(level)));
  }

  /** The peak between two times, s; 0 outside the sound. */
  between(from: number, to: number): number {
    const samples = Math.max((to - from) * this.rate, 1);
    const depth = Math.min(
      Math.max(Math.floor(Math.log2(samples / PER)), 0),
      this.levels.length - 1,
    );
    const level = this.levels[depth] ?? new Float32Array();
    const size = (PER * 2 ** depth) / this.rate;
    const last = Math.min(Math.ceil(to / size), level.length);
    let most = 0;
    for (let i = Math.max(Math.floor(from / size), 0); i < last; i++)
      most = Math.max(most, level[i]!);
    return most;
  }
}

const PER = 128; // samples

function finest(channels: readonly Float32Array[]): Float32Array {
  const length = channels[0]?.length ?? 0;
  const level = new Float32Array(Math.ceil(length / PER));
  for (const samples of channels)
    for (let i = 0; i < length; i++) {
      const at = (i / PER) | 0;
      level[at] = Math.max(level[at]!, Math.abs(samples[i]!));
    }
  return level;
}

function halved(level: Float32Array): Float32Array {
  const made = new Float32Array(Math.ceil(level.length / 2));
  for (let i = 0; i < made.length; i++) made[i] = Math.max(level[2 * i]!, level[2 * i + 1] ?? 0);
  return made;
}

/** A column for each device pixel between two places, about the middle of a strip. */
export function drawWaveform(
  c: CanvasRenderingContext2D,
  peaks: Peaks,
  { from, to, timeAt, height }: Span,
): void {
  const step = 1 / pixelsPer();
  const half = height / 2 - 3;
  for (let x = from; x < to; x += step) {
    const peak = Math.min(peaks.between(timeAt(x), timeAt(x + step)), 1);
    const tall = Math.max(half * peak, 0.5);
    c.fillRect(x, height / 2 - tall, step, 2 * tall);
  }
}

interface Span {
  from: number; // px
  to: number; // px
  timeAt: (x: number) => number; // s of the sound
  height: number; // px
}
