// Writes WebM files: one track, a cluster for each key frame.

export interface Picture {
  data: Uint8Array;
  time: number; // ms
  key: boolean; // can be shown without those before it
}

export interface Reel {
  codec: "V_VP8" | "V_VP9";
  width: number;
  height: number;
  duration: number; // ms
  pictures: readonly Picture[];
}

const LONGEST = 30_000; // ms of a cluster, whose pictures count in 16 bits

export function webm(reel: Reel): Blob {
  const clusters = clustersOf(reel.pictures);
  const before = [infoOf(reel), tracksOf(reel)];
  // places have a fixed length, so that how long the list of them is does not depend on them
  const start = sizeOf(before) + cuesOf(clusters, 0).length;
  const segment = element(
    0x18538067,
    ...before,
    cuesOf(clusters, start),
    ...clusters.map((each) => each.bytes),
  );
  return new Blob([head(), segment], { type: "video/webm" });
}

function head(): Bytes {
  const numbers = [
    [0x4286, 1],
    [0x42f7, 1],
    [0x42f2, 4],
    [0x42f3, 8],
  ] as const;
  return element(
    0x1a45dfa3,
    ...numbers.map(([id, value]) => uint(id, value)),
    text(0x4282, "webm"),
    uint(0x4287, 4),
    uint(0x4285, 2),
  );
}

function infoOf({ duration }: Reel): Bytes {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setFloat64(0, duration);
  const nanoseconds = uint(0x2ad7b1, 1e6); // a unit of time
  return element(
    0x1549a966,
    nanoseconds,
    element(0x4489, length),
    text(0x4d80, "Arcwright"),
    text(0x5741, "Arcwright"),
  );
}

function tracksOf({ codec, width, height }: Reel): Bytes {
  const size = element(0xe0, uint(0xb0, width), uint(0xba, height));
  const video = [
    uint(0xd7, 1),
    uint(0x73c5, 1),
    uint(0x83, 1),
    uint(0x9c, 0),
    text(0x86, codec),
    size,
  ];
  return element(0x1654ae6b, element(0xae, ...video));
}

interface Cluster {
  time: number;
  bytes: Bytes;
}

function clustersOf(pictures: readonly Picture[]): Cluster[] {
  const groups: Picture[][] = [];
  for (const each of pictures) {
    const first = groups.at(-1)?.[0];
    if (!first || each.key || each.time - first.time > LONGEST) groups.push([each]);
    else groups.at(-1)?.push(each);
  }
  return groups.map((group) => {
    const time = Math.round(group[0]?.time ?? 0);
    return {
      time,
      bytes: element(0x1f43b675, uint(0xe7, time), ...group.map((each) => blockOf(each, time))),
    };
  });
}

function blockOf({ data, time, key }: Picture, start: number): Bytes {
  const lead = new Uint8Array(4);
  const view = new DataView(lead.buffer);
  view.setUint8(0, 0x81); // track 1
  view.setInt16(1, Math.round(time) - start);
  view.setUint8(3, key ? 0x80 : 0);
  return element(0xa3, lead, data);
}

/** Where the clusters are, counted from the beginning of the segment's content. */
function cuesOf(clusters: readonly Cluster[], start: number): Bytes {
  let place = start;
  const points = clusters.map(({ time, bytes }) => {
    const at = element(0xb7, uint(0xf7, 1), uint(0xf1, place, 8));
    place += bytes.length;
    return element(0xbb, uint(0xb3, time), at);
  });
  return element(0x1c53bb6b, ...points);
}

type Bytes = Uint8Array<ArrayBuffer>;

function element(id: number, ...content: readonly Uint8Array[]): Bytes {
  const size = uintBytes(sizeOf(content), 8);
  size[0] = 0x01; // says that seven bytes follow
  return joined([uintBytes(id), size, ...content]);
}

function uint(id: number, value: number, width = 0): Bytes {
  return element(id, uintBytes(value, width));
}

function text(id: number, value: string): Bytes {
  return element(id, new TextEncoder().encode(value));
}

/** Big end first; as short as it can be unless a width is given. */
function uintBytes(value: number, width = 0): Bytes {
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  while (bytes.length < Math.max(width, 1)) bytes.unshift(0);
  return new Uint8Array(bytes);
}

function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, each) => sum + each.length, 0);
}

function joined(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
