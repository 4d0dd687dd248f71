import { expect, test } from "vitest";
import { Gif, squeeze } from "./gif";
import { commonColours, Nearest } from "./palette";

/** Reads LZW as any viewer does. */
function spread(data: Uint8Array, size: number): number[] {
  const [clear, end] = [1 << size, (1 << size) + 1];
  let [width, at] = [size + 1, 0];
  let known: number[][] = [];
  const fresh = () => {
    known = Array.from({ length: clear + 2 }, (_, i) => (i < clear ? [i] : []));
    width = size + 1;
  };
  const next = () => {
    let code = 0;
    for (let i = 0; i < width; i++, at++) code |= ((data[at >> 3]! >> (at & 7)) & 1) << i;
    return code;
  };
  const out: number[] = [];
  let before: number[] | null = null;
  for (;;) {
    const code = next();
    if (code === end) return out;
    if (code === clear) {
      fresh();
      before = null;
      continue;
    }
    const run: number[] = known[code] ?? [...before!, before![0]!];
    out.push(...run);
    if (before && known.length < 4096) known.push([...before, run[0]!]);
    if (known.length === 1 << width && width < 12) width++;
    before = run;
  }
}

test("what was squeezed comes out as it went in", () => {
  const flat = new Uint8Array(5000).fill(7);
  const noisy = Uint8Array.from({ length: 40_000 }, (_, i) => (i * 2654435761) >>> 24);
  const drawn = Uint8Array.from({ length: 30_000 }, (_, i) => (i % 97) + (i % 13));
  for (const values of [flat, noisy, drawn, new Uint8Array([3])]) {
    expect(spread(squeeze(values, 8), 8)).toEqual([...values]);
  }
});

test("a film has its size, loops, and ends", async () => {
  const white = new Uint8ClampedArray(32).fill(255);
  const gif = new Gif(4, 2, 4, [white]);
  gif.add(white);
  const bytes = new Uint8Array(await gif.end().arrayBuffer());
  expect(new TextDecoder().decode(bytes.subarray(0, 6))).toBe("GIF89a");
  expect([bytes[6], bytes[8]]).toEqual([4, 2]);
  expect(new TextDecoder("latin1").decode(bytes)).toContain("NETSCAPE2.0");
  expect(bytes.at(-1)).toBe(0x3b);
});

test("few colours are kept as they are, many are gathered around their means", () => {
  const three = [0xff0000, 0x00ff00, 0x0000ff, 0xff0000];
  expect(new Set(commonColours(three, 256))).toEqual(new Set([0xff0000, 0x00ff00, 0x0000ff]));
  const greys = Array.from({ length: 1000 }, (_, i) => (i % 256) * 0x010101);
  const found = commonColours(greys, 16);
  expect(found).toHaveLength(16);
  const nearest = new Nearest(found);
  for (let grey = 0; grey < 256; grey++)
    expect(Math.abs((found[nearest.to(grey, grey, grey)]! & 255) - grey)).toBeLessThan(16);
});
