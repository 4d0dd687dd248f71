// Writes animated GIFs: one dithered palette for the whole video, compressed by LZW.

import { commonColours, Nearest } from "./palette";

const GRAIN = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
const CODE_SIZE = 8;
const SAME = 255; // the number that leaves a pixel as it was in the picture before

export class Gif {
  private readonly parts: Uint8Array<ArrayBuffer>[] = [];
  private readonly nearest: Nearest;
  private before: Uint8Array | null = null;

  /** `delay` is of each picture, in hundredths of a second; `seen` are some of its pictures, for the palette. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly delay: number,
    seen: readonly Uint8ClampedArray[],
  ) {
    const colours = commonColours(seen.flatMap(someColours), SAME);
    this.nearest = new Nearest(colours);
    const palette = Array.from({ length: 256 }, (_, i) => colours[i] ?? 0).flatMap((each) => [
      each >> 16,
      (each >> 8) & 255,
      each & 255,
    ]);
    const head = [...bytes("GIF89a"), ...short(width), ...short(height), 0xf7, 0, 0, ...palette];
    const loop = [0x21, 0xff, 11, ...bytes("NETSCAPE2.0"), 3, 1, 0, 0, 0];
    this.parts.push(new Uint8Array([...head, ...loop]));
  }

  /** A picture, four bytes for each pixel. */
  add(pixels: Uint8ClampedArray): void {
    const { width, height } = this;
    const found = indices(pixels, width, this.nearest);
    const changed = found.map((each, i) => (this.before?.[i] === each ? SAME : each));
    this.before = found;
    const control = [0x21, 0xf9, 4, 5, ...short(this.delay), SAME, 0];
    const frame = [0x2c, 0, 0, 0, 0, ...short(width), ...short(height), 0, CODE_SIZE];
    this.parts.push(new Uint8Array([...control, ...frame]), blocks(squeeze(changed, CODE_SIZE)));
  }

  end(): Blob {
    return new Blob([...this.parts, new Uint8Array([0x3b])], { type: "image/gif" });
  }
}

function bytes(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

function short(value: number): [number, number] {
  return [value & 255, value >> 8];
}

const SOME = 20_000; // pixels of a picture that are enough to know its colours

function someColours(pixels: Uint8ClampedArray): number[] {
  const every = 4 * Math.max(1, Math.floor(pixels.length / 4 / SOME));
  const found: number[] = [];
  for (let i = 0; i < pixels.length; i += every)
    found.push((pixels[i]! << 16) | (pixels[i + 1]! << 8) | pixels[i + 2]!);
  return found;
}

/** The palette's number of each pixel; a little grain hides the steps of gradients. */
function indices(pixels: Uint8ClampedArray, width: number, nearest: Nearest): Uint8Array {
  const found = new Uint8Array(pixels.length / 4);
  const within = (value: number) => Math.min(255, Math.max(0, value));
  for (let i = 0; i < found.length; i++) {
    const grain = Math.round(
      (GRAIN[4 * (Math.floor(i / width) % 4) + ((i % width) % 4)]! - 7.5) / 2.5,
    );
    const o = 4 * i;
    found[i] = nearest.to(
      within(pixels[o]! + grain),
      within(pixels[o + 1]! + grain),
      within(pixels[o + 2]! + grain),
    );
  }
  return found;
}

/** LZW with codes that grow from nine bits to twelve. */
export function squeeze(values: Uint8Array, size: number): Uint8Array {
  const clear = 1 << size;
  const out: number[] = [];
  let [width, pending, bits, next] = [size + 1, 0, 0, clear + 2];
  let known = new Map<number, number>();
  const put = (code: number) => {
    pending |= code << bits;
    bits += width;
    while (bits >= 8) {
      out.push(pending & 255);
      pending >>>= 8;
      bits -= 8;
    }
  };
  put(clear);
  let run = values[0]!;
  for (let i = 1; i < values.length; i++) {
    const value = values[i]!;
    const longer = known.get((run << 8) | value);
    if (longer !== undefined) {
      run = longer;
      continue;
    }
    put(run);
    if (next < 4096) {
      if (next === 1 << width) width++;
      known.set((run << 8) | value, next++);
    } else {
      put(clear);
      known = new Map();
      [width, next] = [size + 1, clear + 2];
    }
    run = value;
  }
  put(run);
  if (next === 1 << width && width < 12) width++;
  put(clear + 1);
  if (bits > 0) out.push(pending & 255);
  return new Uint8Array(out);
}

/** Lengths of at most 255 before each piece, and a nought at the end. */
function blocks(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(data.length + Math.ceil(data.length / 255) + 1);
  let at = 0;
  for (let i = 0; i < data.length; i += 255) {
    const piece = data.subarray(i, i + 255);
    out[at++] = piece.length;
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
