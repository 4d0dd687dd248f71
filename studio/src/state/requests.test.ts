import { beforeEach, expect, test, vi } from "vitest";
import type { SceneInfo, Curve, Document, ClientMessage } from "../wire/messages";

const sent: ClientMessage[] = [];
vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return { line: signal("open"), send: (message: ClientMessage) => sent.push(message) };
});
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });

const { curves, pointKey } = await import("./document");
const { points, take } = await import("./view");
const { receive } = await import("./receive");
const { startRequests } = await import("./requests");
const { line } = await import("../wire/socket");

const rig = (name: string) => ({
  name,
  prop: false,
  joints: [],
  parents: [],
  nodes: [],
  channels: [],
});
const sceneInfo = (name: string) =>
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
    found_takes: {},
    roles: {},
    ground: [],
    recordings: [],
  }) as unknown as Document;
const give = (message: SceneInfo | Document) => receive({ message, arrays: {} });

startRequests();
beforeEach(() => {
  [points.value, take.value] = [[], "walk"];
  give(sceneInfo("first"));
  give(document("first", "walk"));
  sent.length = 0;
});

test("nothing is asked about the old document once another comes", () => {
  give(sceneInfo("second"));
  expect(sent).toEqual([]);
  give(document("second", "jump"));
  expect(sent.map((message) => message.type)).toEqual(
    expect.arrayContaining(["Subscribe", "RequestKeys", "RequestFrames"]),
  );
  expect(sent.every((message) => "character" in message && message.character === "second")).toBe(
    true,
  );
});

test("after a lost connection nothing is requested until the document has arrived", () => {
  (line as { value: string }).value = "lost";
  (line as { value: string }).value = "open";
  expect(sent).toEqual([]);
  give(document("first", "walk"));
  expect(sent.map((message) => message.type)).toContain("RequestKeys");
});

test("frames are requested beyond the end of a take, which may grow", () => {
  give(sceneInfo("second"));
  give(document("second", "walk"));
  expect(sent.filter((message) => message.type === "RequestFrames")).toMatchObject([
    { first: 0, last: 239 },
  ]);
});

const hand = { joint: "Hand", offset: [0, 0, 0] as [number, number, number], character: "first" };
const head = { ...hand, joint: "Head" };
const receiveCurve = (
  height: number,
  { first = 0, count = 3, live = null as number | null } = {},
) => {
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
  receive({
    message: message as Curve,
    arrays: { positions: rows(3), orientations: rows(4), speeds: rows(1) },
  });
};
const heights = () => [...(curves.peek().get(pointKey(hand))?.still.speeds ?? [])];

test("a curve that is not shown is dropped, since no changes of it arrive", () => {
  points.value = [hand, head];
  receiveCurve(1);
  points.value = [hand];
  expect(heights()).toEqual([1, 1, 1]);
  points.value = [head];
  expect(heights()).toEqual([]);
  receiveCurve(2); // was on its way
  points.value = [hand];
  expect(heights()).toEqual([]);
});

test("curves of another take are not shown as those of this one", () => {
  points.value = [hand];
  receiveCurve(1);
  take.value = "run";
  expect(heights()).toEqual([]);
});

test("a part of a curve, or its preview, counts only where the whole is loaded", () => {
  points.value = [hand];
  receiveCurve(2, { first: 1, count: 1 });
  receiveCurve(2, { live: 7 });
  expect(heights()).toEqual([]);
  receiveCurve(1);
  receiveCurve(2, { first: 1, count: 1 });
  expect(heights()).toEqual([1, 2, 1]);
});
