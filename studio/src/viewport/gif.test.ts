import { expect, test } from "vitest";
import { Gif, squeeze } from "./gif";

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
  const gif = new Gif(4, 2, 4);
  gif.add(new Uint8ClampedArray(32).fill(255));
  const bytes = new Uint8Array(await gif.end().arrayBuffer());
  expect(new TextDecoder().decode(bytes.subarray(0, 6))).toBe("GIF89a");
  expect([bytes[6], bytes[8]]).toEqual([4, 2]);
  expect(new TextDecoder("latin1").decode(bytes)).toContain("NETSCAPE2.0");
  expect(bytes.at(-1)).toBe(0x3b);
});
