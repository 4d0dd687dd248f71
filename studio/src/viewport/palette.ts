// A palette of 256 colours for a video, and the nearest of them to any colour.

interface Part {
  pixels: number[]; // each as 0xrrggbb
  widest: number; // shift of the channel that differs most
  width: number;
}

/** Cuts the colours that occur, where they differ most, until there are enough parts; each part's mean counts. */
export function commonColours(pixels: number[], count: number): number[] {
  const parts = [partOf(pixels)];
  while (parts.length < count) {
    parts.sort(
      (a, b) => b.width * Math.sqrt(b.pixels.length) - a.width * Math.sqrt(a.pixels.length),
    );
    const part = parts[0]!;
    if (part.width === 0) break;
    part.pixels.sort((a, b) => ((a >> part.widest) & 255) - ((b >> part.widest) & 255));
    const half = part.pixels.length >> 1;
    parts.splice(0, 1, partOf(part.pixels.slice(0, half)), partOf(part.pixels.slice(half)));
  }
  return parts.map((part) => meanOf(part.pixels));
}

function partOf(pixels: number[]): Part {
  const found: Part = { pixels, widest: 16, width: 0 };
  for (const shift of [16, 8, 0]) {
    let [low, high] = [255, 0];
    for (const pixel of pixels) {
      const value = (pixel >> shift) & 255;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (high - low > found.width) [found.width, found.widest] = [high - low, shift];
  }
  return found;
}

function meanOf(pixels: readonly number[]): number {
  const mean = (shift: number) => {
    let sum = 0;
    for (const pixel of pixels) sum += (pixel >> shift) & 255;
    return Math.round(sum / Math.max(pixels.length, 1));
  };
  return (mean(16) << 16) | (mean(8) << 8) | mean(0);
}

/** Finds the nearest of some colours; colours alike in their first six bits are looked for once. */
export class Nearest {
  private readonly known = new Int16Array(1 << 18).fill(-1);

  constructor(private readonly colours: readonly number[]) {}

  to(r: number, g: number, b: number): number {
    const key = ((r >> 2) << 12) | ((g >> 2) << 6) | (b >> 2);
    const info = this.known[key]!;
    if (info >= 0) return info;
    let [best, least] = [0, Infinity];
    this.colours.forEach((colour, i) => {
      const [dr, dg, db] = [r - (colour >> 16), g - ((colour >> 8) & 255), b - (colour & 255)];
      const off = 2 * dr * dr + 4 * dg * dg + 3 * db * db; // the eye sees green best
      if (off < least) [best, least] = [i, off];
    });
    this.known[key] = best;
    return best;
  }
}
