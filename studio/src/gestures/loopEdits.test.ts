import { beforeEach, expect, test, vi } from "vitest";
import type { Document, RigInfo, SceneInfo, ToolInfo, Welcome } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
vi.stubGlobal("document", { documentElement: {} });
vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: () => "" }));
const sent: { type: string }[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  send: (message: { type: string }) => sent.push(message),
}));
vi.mock("../viewport/stage", () => ({ stage: null }));
const doc = await import("../state/document");
const view = await import("../state/view");
const { widened } = await import("./affectedRange");
const { deletion, insertion, itemChannels } = await import("./curveKeys");
const { limbChannels, limbOf } = await import("./limbChannels");
const { isTuned, moveOption, releaseOption } = await import("./setting");

// Hips 0, Chest 1, Arm 2, Hand 3, Thumb 4, Finger 5, Leg 6
const PARENTS = [-1, 0, 1, 2, 3, 3, 0];
const NAMES = ["Hips", "Chest", "Arm", "Hand", "Thumb", "Finger", "Leg"];
const rig = {
  name: "biped",
  joints: NAMES,
  parents: PARENTS,
  channels: NAMES.map((_, joint) => ({ joint, kind: "rotate_x", label: "" })),
} as unknown as RigInfo;
const hand = { joint: "Hand", character: "biped" };

function keyed(...times: number[]) {
  const rows = times.flatMap((time) => [time, 0, 0, 0, 0, 0, 0, 0, 0]);
  return { rows: new Float32Array(rows), beyond: ["cycle", "cycle"] as ["cycle", "cycle"] };
}

beforeEach(() => {
  sent.length = 0;
  const option = (name: string) => ({ name, kind: "float", default: 0, label: name }) as never;
  doc.welcome.value = {
    tools: [
      {
        name: "cycle",
        label: "Motion cycle",
        help: "",
        gestures: ["drag", "setting"],
        options: ["phase", "affected_range"].map(option),
      } as ToolInfo,
    ],
  } as Welcome;
  doc.sceneInfo.value = { model: "m", rigs: [rig] } as unknown as SceneInfo;
  doc.documentState.value = {
    takes: {
      biped: [{ name: "wave", duration: 1, rate: 24, loops: true, keyed: true, layers: [] }],
    },
  } as unknown as Document;
  [view.character.value, view.take.value, view.tool.value] = ["biped", "wave", "cycle"];
  view.options.value = { cycle: { phase: 0, affected_range: 0.25 } };
  view.points.value = [hand];
  const curves = new Map(NAMES.map((_, c) => [c, keyed(0, 0.5, 1)]));
  curves.set(2, keyed(0)); // the arm does not move
  doc.keys.value = new Map([[doc.takeName("biped", "wave"), curves]]);
});

test("a limb is what hangs on a joint, and what is above it up to a branch", () => {
  expect([...limbOf([-1, 0, 1, 2, 2, 0], 1)].sort()).toEqual([1, 2, 3, 4]);
  expect([...limbOf(PARENTS, 3)].sort()).toEqual([1, 2, 3, 4, 5]); // one arm only: with the chest
  expect([...limbOf(PARENTS, 6)]).toEqual([6]);
  expect([...limbOf(PARENTS, 0)]).toEqual([0]);
  expect(limbChannels({ joint: "Leg", character: "biped" })).toEqual(["Leg.rotate.x"]);
});

test("keys of a curve are those of its joint and the ones above that move, but the root's", () => {
  const curves = doc.keys.value.get(doc.takeName("biped", "wave"))!;
  expect(itemChannels(rig, curves, 3)).toEqual([1, 3]);
  expect(itemChannels(rig, curves, 0)).toEqual([0]);
});

test("a key is inserted at a frame and deleted there, but not at the seam of the loop", () => {
  expect(insertion(hand, 6)).toMatchObject({ change: "AddKeys", channels: [1, 3], time: 0.25 });
  const keys: [number, number][] = [
    [1, 1],
    [3, 1],
  ];
  expect(deletion(hand, 12)).toMatchObject({ change: "DeleteKeys", keys });
  expect(deletion(hand, 7)).toBeNull();
  expect(deletion(hand, 0)).toBeNull();
  expect(deletion(hand, 24)).toBeNull();
});

test("the affected range changes by a frame, or by a tenth where it is long", () => {
  expect(widened(6, 1)).toBe(7);
  expect(widened(1, -1)).toBe(1);
  expect(widened(40, 1)).toBe(44);
});

test("an option that edits by itself is a gesture of its own, then set back", () => {
  expect(isTuned("cycle", "affected_range")).toBe(false);
  moveOption("affected_range", 0.5);
  releaseOption();
  expect(sent).toEqual([]);
  expect(isTuned("cycle", "phase")).toBe(true);
  moveOption("phase", 0.25);
  releaseOption();
  expect(sent.map((each) => each.type)).toEqual([
    "BeginInteraction",
    "SetOptions",
    "CommitInteraction",
  ]);
  expect(sent[0]).toMatchObject({ point: hand, channels: limbChannels(hand) });
  expect(sent[1]).toMatchObject({ options: { phase: 0.25 } });
  expect(view.options.value["cycle"]).toEqual({ phase: 0, affected_range: 0.5 });
});
