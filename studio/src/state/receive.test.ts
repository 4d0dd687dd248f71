import { beforeEach, expect, test, vi } from "vitest";
import type { ServerMessage } from "../wire/messages";

vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return { line: signal("open"), send: () => true };
});
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });

const { leftUndone, toasts } = await import("./document");
const { receive } = await import("./receive");
const view = await import("./view");

const give = (message: object) =>
  receive({ message: { arrays: [], ...message } as unknown as ServerMessage, arrays: {} });
const shown = () => toasts.peek().map(({ text, tone }) => ({ text, tone }));
const note = { text: "LeftFoot is 4 mm off", kind: "residual", amount: 0.004, blocker: "" };

beforeEach(() => {
  toasts.value = [];
  leftUndone.value = null;
});

test("what was lost in work that is done is a warning, not a failure", () => {
  give({
    type: "Report",
    text: "walk.bvh does not hold everything: meshes",
    severity: "warning",
    notes: [],
  });
  give({ type: "Failure", text: "the disk is full" });
  give({ type: "Report", text: "Nothing was changed", severity: "info", notes: [] });
  expect(shown().map(({ tone }) => tone)).toEqual(["warning", "error", "info"]);
});

test("a warning about a file leaves what slow work has left undone to be read", () => {
  give({ type: "Report", text: "Solved, but for this", severity: "info", notes: [note] });
  give({
    type: "Report",
    text: "walk.bvh does not hold everything: meshes",
    severity: "warning",
    notes: [],
  });
  expect(leftUndone.peek()?.notes).toEqual([note]);
});

test("chosen options are kept on another connection, those the server does not know are not", () => {
  view.options.value = { pose: { time_reach: 2, reach: 3 } };
  const known = [
    { name: "time_reach", default: 0 },
    { name: "auto_key", default: true },
  ];
  give({ type: "Welcome", tools: [{ name: "pose", options: known }], recent: [] });
  expect(view.options.peek()).toEqual({ pose: { time_reach: 2, auto_key: true } });
});

test("a message says in which folder a file was saved", () => {
  give({ type: "Welcome", tools: [], recent: [], folder: "shots" });
  give({ type: "Saved", path: "act 1/walk.arc.glb" });
  expect(shown().map(({ text }) => text)).toEqual(["Saved act 1/walk.arc.glb in the folder shots"]);
});

test("only points that another scene has stay selected in it", () => {
  const rig = (name: string, ...joints: string[]) => ({ name, joints });
  const point = (joint: string) => ({ joint, offset: [0, 0, 0] as const, character: "RootNode" });
  give({ type: "SceneInfo", model: "model/fish", rigs: [rig("RootNode", "Head", "Fin")] });
  view.points.value = [point("Head"), point("Fin")] as never;
  give({ type: "SceneInfo", model: "model/wolf", rigs: [rig("RootNode", "Head", "Tail")] });
  expect(view.points.peek()).toEqual([point("Head")]);
  give({ type: "SceneInfo", model: "model/lamp", rigs: [rig("lamp", "Head")] });
  expect(view.points.peek()).toEqual([]);
});
