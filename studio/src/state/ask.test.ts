import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Curve, Document, ClientMessage } from "../wire/messages";

const said: ClientMessage[] = [];
vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return { line: signal("open"), say: (word: ClientMessage) => said.push(word) };
});
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });

const { curves, spotName } = await import("./document");
const { points, take } = await import("./view");
const { hear } = await import("./hear");
const { startAsking } = await import("./ask");
const { line } = await import("../wire/socket");

const rig = (name: string) => ({
  name,
  prop: false,
  joints: [],
  parents: [],
  nodes: [],
  channels: [],
});
const cast = (name: string) =>
  ({
    type: "SceneInfo",
    arrays: [],
    model: `model/${name}`,
    rigs: [rig(name)],
  }) as unknown as SceneInfo;
const document = (name: string, take: string) =>
  ({
    type: "Document",
    arrays: [],
    revision: 1,
    done: [],
    takes: { [name]: [{ name: take, rate: 24, duration: 1, layers: [] }] },
  }) as unknown as Document;
const tell = (message: SceneInfo | Document) => hear({ message, arrays: {} });

startAsking();
beforeEach(() => {
  [points.value, take.value] = [[], "walk"];
  tell(cast("first"));
  tell(document("first", "walk"));
  said.length = 0;
});

test("nothing is asked about the old document once another comes", () => {
  tell(cast("second"));
  expect(said).toEqual([]);
  tell(document("second", "jump"));
  expect(said.map((word) => word.type)).toEqual(
    expect.arrayContaining(["Subscribe", "RequestKeys", "RequestFrames"]),
  );
  expect(said.every((word) => "character" in word && word.character === "second")).toBe(true);
});

test("after the line was lost nothing is asked until the document was told again", () => {
  (line as { value: string }).value = "lost";
  (line as { value: string }).value = "open";
  expect(said).toEqual([]);
  tell(document("first", "walk"));
  expect(said.map((word) => word.type)).toContain("RequestKeys");
});

test("frames are asked for beyond the end of a take, which may grow", () => {
  tell(cast("second"));
  tell(document("second", "walk"));
  expect(said.filter((word) => word.type === "RequestFrames")).toMatchObject([
    { first: 0, last: 239 },
  ]);
});

const hand = { joint: "Hand", offset: [0, 0, 0] as [number, number, number], character: "first" };
const head = { ...hand, joint: "Head" };
const tellCurve = (height: number, { first = 0, count = 3, live = null as number | null } = {}) => {
  const message = {
    type: "Curve",
    arrays: [],
    character: "first",
    take: "walk",
    preview_of: live,
    point: hand,
    first,
    total: 3,
    per_frame: 1,
    keys: [],
  };
  const rows = (width: number) => new Float32Array(width * count).fill(height);
  hear({
    message: message as Curve,
    arrays: { positions: rows(3), orientations: rows(4), speeds: rows(1) },
  });
};
const heights = () => [...(curves.peek().get(spotName(hand))?.still.speeds ?? [])];

test("a curve that is not shown is forgotten, since no change of it is told", () => {
  points.value = [hand, head];
  tellCurve(1);
  points.value = [hand];
  expect(heights()).toEqual([1, 1, 1]);
  points.value = [head];
  expect(heights()).toEqual([]);
  tellCurve(2); // was on its way
  points.value = [hand];
  expect(heights()).toEqual([]);
});

test("curves of another take are not shown as those of this one", () => {
  points.value = [hand];
  tellCurve(1);
  take.value = "run";
  expect(heights()).toEqual([]);
});

test("a part of a curve, or what a hand makes of it, counts only where the whole was told", () => {
  points.value = [hand];
  tellCurve(2, { first: 1, count: 1 });
  tellCurve(2, { live: 7 });
  expect(heights()).toEqual([]);
  tellCurve(1);
  tellCurve(2, { first: 1, count: 1 });
  expect(heights()).toEqual([1, 2, 1]);
});
