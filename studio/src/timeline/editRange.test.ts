import { beforeEach, expect, test, vi } from "vitest";
import type { Document } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { previews, documentState } = await import("../state/document");
const { interaction } = await import("../state/interaction");
const view = await import("../state/view");
const { toolOf } = await import("../tools/shared/registry");
const range = toolOf("spacetime").editRange!;
const { axis } = await import("./sheetState");
const { dragEdit, draggedRange, editPartAt, editRange } = await import("./editRange");
const { LABELS } = await import("./layout");

const take = {
  name: "walk",
  rate: 30,
  duration: 20,
  keyed: false,
  loops: false,
  keys: 0,
  layers: [],
};
const at = (frame: number) => LABELS + 2 * frame;
const none = { shift: false, ctrl: false };

beforeEach(() => {
  documentState.value = { takes: { biped: [take] } } as unknown as Document;
  [view.character.value, view.take.value, view.tool.value] = ["biped", "walk", "spacetime"];
  [view.frame.value, view.aimed.value, view.points.value, interaction.value] = [
    300,
    null,
    [],
    null,
  ];
  axis.value = { start: 0, perFrame: 2 };
  range.choose(null, null);
});

test("in a long take the range around the drag is shown, or around where one would begin", () => {
  expect(editRange.value).toEqual({ first: 210, last: 390, chosen: false, meant: false });
  view.aimed.value = [30, 30];
  expect(editRange.value).toEqual({ first: 0, last: 120, chosen: false, meant: true });
  interaction.value = { id: 1, tool: "spacetime", point: null, time: 19, target: null };
  expect(editRange.value).toMatchObject({ first: 480, last: 600 });
  view.tool.value = "pose";
  expect(editRange.value).toBeNull();
});

test("a short take is shown whole", () => {
  documentState.value = { takes: { biped: [{ ...take, duration: 2 }] } } as unknown as Document;
  expect(editRange.value).toMatchObject({ first: 0, last: 60, chosen: false });
});

test("an end that is dragged chooses whole frames; Escape puts back what was", () => {
  expect(editPartAt(at(210) + 3, 4)).toBe("start");
  const drag = dragEdit("start", at(210));
  drag?.move(at(100.4), 4, none);
  expect(editRange.value).toMatchObject({ first: 100, last: 390, chosen: true });
  expect(editPartAt(at(200), 4)).toBe("middle");
  expect(editPartAt(at(200), 20)).toBeNull();
  drag?.cancel();
  expect(editRange.value).toMatchObject({ first: 210, chosen: false });
});

test("a range keeps inside the take and two frames long", () => {
  expect(draggedRange("start", [10, 20], 10, 40, 60)).toEqual([18, 20]);
  expect(draggedRange("end", [10, 20], 20, 99, 60)).toEqual([10, 60]);
  expect(draggedRange("middle", [10, 20], 15, 90, 60)).toEqual([50, 60]);
  expect(draggedRange("middle", [10, 20], 15, -90, 60)).toEqual([0, 10]);
  expect(draggedRange("new", [0, 60], 40.2, 12.7, 60)).toEqual([13, 40]);
  expect(draggedRange("new", [0, 60], 60, 60, 60)).toEqual([58, 60]);
});

test("all of a long take can be chosen, though that is not what the tool would do", () => {
  const drag = dragEdit("new", at(0));
  drag?.move(at(600), 4, none);
  expect(editRange.value).toEqual({ first: 0, last: 600, chosen: true, meant: false });
});

test("while a pose is dragged the frames that it changes are shown", () => {
  view.tool.value = "pose";
  expect(editRange.value).toBeNull();
  interaction.value = { id: 7, tool: "pose", point: null, time: 2, target: null };
  expect(editRange.value).toBeNull();
  previews.value = new Map([[7, { id: 7, span: [1.5, 3] } as never]]);
  expect(editRange.value).toEqual({ first: 45, last: 90, chosen: false, meant: true });
  interaction.value = null;
  expect(editRange.value).toBeNull();
});
