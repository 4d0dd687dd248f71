import { beforeEach, expect, test, vi } from "vitest";
import type { ClientMessage, Document, SceneInfo } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const sent: ClientMessage[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  send: (message: ClientMessage) => sent.push(message),
}));
const { documentState, sceneInfo } = await import("./document");
const view = await import("./view");
const { tool } = await import("../tools/activity");
const { activityHere, elementAt, eventNear, eventText, handleName, leaderAt, meetings } =
  await import("./activities");
const changes = await import("./activityChanges");

const event = (time: number, name: string, more: object = {}) => ({
  time,
  name,
  elements: [] as string[],
  movable: [] as string[],
  scalable: [],
  replaceable: [],
  pairs: [] as [string, string][],
  look_at: "",
  ...more,
});
const tea = {
  name: "tea",
  character: "biped",
  take: "pour",
  objects: [
    { name: "pot", prop: "Pot", anchors: ["spout"] },
    { name: "cup", prop: "Cup", anchors: [] },
  ],
  effectors: [
    { name: "pelvis", point: { joint: "Hips" } },
    { name: "hand", point: { joint: "Hand" } },
    { name: "idle", point: { joint: "Head" } },
  ],
  events: [
    event(0.5, "reach", { elements: ["hand"] }),
    event(1, "lift", {
      elements: ["hand", "pot"],
      movable: ["pot"],
      pairs: [["hand", "pot.handle"]],
      look_at: "pot",
    }),
    event(2, "", {
      elements: ["hand", "pot", "cup"],
      movable: ["cup"],
      pairs: [
        ["hand", "pot.handle"],
        ["pot.spout", "cup"],
      ],
    }),
  ],
};
const take = { name: "pour", rate: 30, duration: 4, layers: [] };

beforeEach(() => {
  sent.length = 0;
  sceneInfo.value = {
    rigs: [
      { name: "biped", joints: ["Hips", "Hand", "Thumb", "Head"], parents: [-1, 0, 1, 0] },
      { name: "Pot", joints: ["Pot"], parents: [-1], prop: true },
      { name: "Lamp", joints: ["Lamp"], parents: [-1], prop: true },
    ],
  } as unknown as SceneInfo;
  documentState.value = {
    takes: { biped: [take, { ...take, name: "walk" }], Pot: [take] },
    activities: [tea],
  } as unknown as Document;
  [view.character.value, view.take.value] = ["biped", "pour"];
});

const here = () => activityHere.value!;

test("a take has its activity, and so has a prop of it", () => {
  expect(activityHere.value?.name).toBe("tea");
  view.character.value = "Pot";
  expect(activityHere.value?.name).toBe("tea");
  [view.character.value, view.take.value] = ["biped", "walk"];
  expect(activityHere.value).toBeNull();
});

test("a prop that was added keeps the activity in sight, and says that it takes no part", () => {
  [view.character.value, view.take.value] = ["Lamp", ""];
  expect(activityHere.value?.name).toBe("tea");
  const refused = tool.refusal!({ joint: "Lamp", character: "Lamp" }, 50);
  expect(refused?.text).toContain("Lamp takes no part in tea");
});

test("a point belongs to the effector of its joint, to one above it, or to its prop", () => {
  expect(elementAt(here(), { joint: "Hand", character: "biped" })).toBe("hand");
  expect(elementAt(here(), { joint: "Thumb", character: "biped" })).toBe("hand");
  expect(elementAt(here(), { joint: "Pot", character: "Pot" })).toBe("pot");
  expect(elementAt(here(), { joint: "Box", character: "Box" })).toBeNull();
  expect(elementAt(here(), { joint: "Hips", character: "biped" })).toBeNull(); // takes no part
});

test("what follows another element moves that one, as far as it may be moved", () => {
  expect(leaderAt(here().events[0]!, "hand")).toBeNull();
  expect(leaderAt(here().events[1]!, "hand")).toBe("pot");
  expect(leaderAt(here().events[2]!, "hand")).toBe("cup");
});

test("a drag is about the nearest event at which something can be moved", () => {
  expect(eventNear(here(), "hand", 0)).toBe(1);
  expect(eventNear(here(), "hand", 1.8)).toBe(2);
  expect(eventNear(here(), "cup", 0)).toBe(2);
  expect(eventNear(here(), "idle", 0)).toBe(-1);
  const hand = { joint: "Hand", character: "biped" };
  expect(tool.frameAt!(hand, 50, 50)).toBe(60);
  expect(tool.refusal!(hand, 50)).toBeNull();
  expect(tool.refusal!({ joint: "Box", character: "Box" }, 50)?.text).toContain("tea");
});

test("events are stated in words", () => {
  expect(eventText(here(), 1)).toBe("lift");
  expect(eventText(here(), 2)).toBe("event 3");
  expect(handleName("cup", 2, 30)).toBe("cup at frame 60");
  expect(meetings(here().events[1]!)).toBe("hand on pot handle · looks at pot");
});

test("events are renamed and removed where they are", () => {
  changes.renameEvent(2, "pour");
  changes.removeEvent(0);
  const about = { activity: "tea", character: "biped", take: "pour" };
  expect(sent).toEqual([
    { type: "ApplyChange", change: { change: "RenameEvent", ...about, event: 2, name: "pour" } },
    { type: "ApplyChange", change: { change: "RemoveEvent", ...about, event: 0 } },
  ]);
});
