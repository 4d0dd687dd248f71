// Writes animated GIFs: a fixed palette with ordered grain, packed by LZW.

const LEVELS = [7, 8, 4] as const; // of red, green and blue: the eye sees green best
const GRAIN = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
const CODE_SIZE = 8;

export class Gif {
  private readonly parts: Uint8Array<ArrayBuffer>[] = [];

  /** `delay` is of each picture, in hundredths of a second. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly delay: number,
  ) {
    const head = [...bytes("GIF89a"), ...short(width), ...short(height), 0xf7, 0, 0, ...palette()];
    const loop = [0x21, 0xff, 11, ...bytes("NETSCAPE2.0"), 3, 1, 0, 0, 0];
    this.parts.push(new Uint8Array([...head, ...loop]));
  }

  /** A picture, four bytes for each pixel. */
  add(pixels: Uint8ClampedArray): void {
    const { width, height } = this;
    const control = [0x21, 0xf9, 4, 4, ...short(this.delay), 0, 0];
    const frame = [0x2c, 0, 0, 0, 0, ...short(width), ...short(height), 0, CODE_SIZE];
    this.parts.push(new Uint8Array([...control, ...frame]), blocks(squeeze(indices(pixels, width), CODE_SIZE)));
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

function palette(): number[] {
  const [reds, greens, blues] = LEVELS;
  const colours: number[] = [];
  for (let r = 0; r < reds; r++) {
    for (let g = 0; g < greens; g++) {
      for (let b = 0; b < blues; b++) colours.push((255 * r) / (reds - 1), (255 * g) / (greens - 1), (255 * b) / (blues - 1));
    }
  }
  // what is left of the 256 are greys, which backdrops are made of
  for (let i = 0; colours.length < 768; i++) colours.push(...[1, 1, 1].map(() => 18 + 7 * i));
  return colours.map(Math.round);
}

/** The palette's number of each pixel; grain hides the steps between its colours. */
function indices(pixels: Uint8ClampedArray, width: number): Uint8Array {
  const found = new Uint8Array(pixels.length / 4);
  const [reds, greens, blues] = LEVELS;
  for (let i = 0; i < found.length; i++) {
    const grain = (GRAIN[4 * (Math.floor(i / width) % 4) + (i % width) % 4]! + 0.5) / 16;
    const level = (value: number, count: number) => Math.min(count - 1, Math.floor((value / 255) * (count - 1) + grain));
    const [r, g, b] = [pixels[4 * i]!, pixels[4 * i + 1]!, pixels[4 * i + 2]!];
    found[i] = (level(r, reds) * greens + level(g, greens)) * blues + level(b, blues);
  }
  return found;
}

/** LZW with codes that grow from nine bits to twelve. */
export function squeeze(values: Uint8Array, size: number): Uint8Array {
  const clear = 1 << size;
  const out: number[] = [];
  let [width, held, bits, next] = [size + 1, 0, 0, clear + 2];
  let known = new Map<number, number>();
  const put = (code: number) => {
    held |= code << bits;
    bits += width;
    while (bits >= 8) {
      out.push(held & 255);
      held >>>= 8;
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
  if (bits > 0) out.push(held & 255);
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
