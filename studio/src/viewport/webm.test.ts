import { expect, test } from "vitest";
import { webm, type Picture } from "./webm";

const MASTERS = new Set([
  0x18538067, 0x1549a966, 0x1654ae6b, 0x1f43b675, 0x1c53bb6b, 0xbb, 0xb7, 0xae, 0xe0,
]);

interface Part {
  id: number;
  at: number; // of its first byte
  data: Uint8Array;
}

/** All elements, those inside others after them. */
function parts(bytes: Uint8Array, from = 0, to = bytes.length): Part[] {
  const found: Part[] = [];
  for (let at = from; at < to;) {
    const long = Math.clz32(bytes[at]!) - 23;
    const id = number(bytes.subarray(at, at + long));
    const data = at + long + 8;
    const end = data + number(bytes.subarray(at + long + 1, data));
    found.push({ id, at, data: bytes.subarray(data, end) });
    if (MASTERS.has(id)) found.push(...parts(bytes, data, end));
    at = end;
  }
  return found;
}

const number = (bytes: Uint8Array) => bytes.reduce((sum, each) => sum * 256 + each, 0);
const picture = (time: number, key = false): Picture => ({
  data: new Uint8Array([7, time % 256]),
  time,
  key,
});

async function read(pictures: Picture[]): Promise<Part[]> {
  const made = webm({ codec: "V_VP9", width: 838, height: 522, duration: 125, pictures });
  return parts(new Uint8Array(await made.arrayBuffer()));
}

const of = (all: Part[], id: number) => all.filter((each) => each.id === id);

test("every picture comes at its own time", async () => {
  const all = await read([picture(0, true), picture(41.667), picture(83.333)]);
  const times = of(all, 0xa3).map(({ data }) => number(data.subarray(1, 3)));
  expect(times).toEqual([0, 42, 83]);
  expect(of(all, 0xa3).map(({ data }) => data[3])).toEqual([0x80, 0, 0]);
  const length = of(all, 0x4489)[0]!.data;
  expect(new DataView(length.buffer, length.byteOffset).getFloat64(0)).toBe(125);
  expect([0xb0, 0xba].map((id) => number(of(all, id)[0]!.data))).toEqual([838, 522]);
});

test("a picture that stands alone begins a cluster, which is listed where it lies", async () => {
  const all = await read([picture(0, true), picture(500), picture(1000, true), picture(40_000)]);
  const clusters = of(all, 0x1f43b675);
  expect(of(all, 0xe7).map(({ data }) => number(data))).toEqual([0, 1000, 40_000]);
  const segment = of(all, 0x18538067)[0]!.at + 12;
  expect(of(all, 0xf1).map(({ data }) => number(data) + segment)).toEqual(
    clusters.map(({ at }) => at),
  );
});
