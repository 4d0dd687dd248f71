// Proposed events: accepted, rejected, moved, and back after an undo.

import { beforeEach, expect, test, vi } from "vitest";
import type { ActivityEventInfo, ClientMessage, Document, SceneInfo } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const sent: ClientMessage[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  send: (message: ClientMessage) => sent.push(message),
}));
const { documentState, inStep, sceneInfo } = await import("./document");
const { registerTraits } = await import("./toolTraits");
const view = await import("./view");
const proposed = await import("./proposedEvents");
const changes = await import("./activityChanges");

const event = (time: number, name: string, elements: string[]): ActivityEventInfo => ({
  time,
  name,
  elements,
  movable: elements,
  scalable: [],
  replaceable: [],
  pairs: [],
  look_at: "",
});
const GRAB = event(1, "grab pot", ["hand", "pot"]);
const REST = event(2, "hand rests", ["hand"]);
const take = { name: "pour", rate: 30, duration: 4, layers: [] };
let revision = 0;

function show(done: string[], activities: object[] = []): void {
  revision += 1;
  documentState.value = {
    takes: { biped: [take] },
    activities,
    done,
    revision,
  } as unknown as Document;
}

function answer(): void {
  proposed.receiveProposedEvents({
    type: "ProposedEvents",
    arrays: [],
    character: "biped",
    take: "pour",
    objects: [{ name: "pot", prop: "Pot", anchors: [] }],
    effectors: [
      { name: "hand", point: { joint: "Hand" } },
      { name: "pelvis", point: { joint: "Hips" } },
    ],
    events: [
      { event: GRAB, kind: "grab", confidence: 0.9 },
      { event: REST, kind: "rest start", confidence: 0.4 },
    ],
    problem: "",
  });
}

const names = () => proposed.proposals.value.map((each) => each.event.name);
const added = () => sent.flatMap((each) => (each.type === "ApplyChange" ? [each.change] : []));

registerTraits("activity", { editsActivities: true });
proposed.startProposedEvents();

beforeEach(() => {
  sceneInfo.value = {
    rigs: [{ name: "biped", prop: false, joints: ["Hips", "Hand"], parents: [-1, 0] }],
  } as unknown as SceneInfo;
  [view.character.value, view.take.value, view.tool.value] = ["biped", "pour", "activity"];
  inStep.value = true;
  proposed.detectEvents(false);
  show([]);
  sent.length = 0;
  proposed.detectEvents(true);
  answer();
});

test("events are asked for once somebody wants them, and anew after every step", () => {
  expect(sent).toEqual([{ type: "RequestProposedEvents", character: "biped", take: "pour" }]);
  expect(proposed.proposedEventsLoaded()).toBe(true);
  show(["Move cup"]);
  expect(sent).toHaveLength(2);
  expect(proposed.proposedEventsLoaded()).toBe(false);
});

test("an accepted event begins an activity, is gone then, and is back after an undo", () => {
  proposed.accept(proposed.sure());
  expect(added()).toMatchObject([
    { change: "AddToActivity", activity: "", events: [{ name: "grab pot" }] },
  ]);
  expect(names()).toEqual(["grab pot", "hand rests"]); // until the step has come
  show(["Add activity pour"]);
  answer();
  expect(names()).toEqual(["hand rests"]);
  show([]);
  answer();
  expect(names()).toEqual(["grab pot", "hand rests"]);
});

test("an accepted event that was refused stays proposed", () => {
  proposed.accept(proposed.sure());
  show(["Move cup"]);
  answer();
  expect(names()).toEqual(["grab pot", "hand rests"]);
});

test("a proposal is accepted where it was dragged to, and a rejected one is gone", () => {
  const [grab, rest] = proposed.proposals.value;
  proposed.moveProposal(grab!.key, 1.2);
  proposed.reject([rest!]);
  expect(names()).toEqual(["grab pot"]);
  proposed.accept([...proposed.proposals.value]);
  expect(added()).toMatchObject([{ events: [{ time: 1.2 }] }]);
});

test("an element that takes no part has no role and no pair at an event", () => {
  const tea = {
    name: "tea",
    character: "biped",
    take: "pour",
    objects: [{ name: "pot", prop: "Pot", anchors: [] }],
    effectors: [{ name: "hand", point: { joint: "Hand" } }],
    events: [{ ...GRAB, pairs: [["hand", "pot"]] }],
  };
  show([], [tea]);
  changes.setRole(0, "elements", "pot", false);
  changes.addPair(0, "hand", "pot.spout");
  changes.setRole(0, "scalable", "pot", true);
  expect(added()).toMatchObject([
    { change: "ChangeEvent", to: { elements: ["hand"], movable: ["hand"], pairs: [] } },
    { change: "ChangeEvent", to: { pairs: [["hand", "pot.spout"]] } },
    { change: "ChangeEvent", to: { scalable: ["pot"] } },
  ]);
});
