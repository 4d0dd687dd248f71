import { beforeEach, expect, test, vi } from "vitest";
import type { ClientMessage, Document, Overlay, RestOverlays } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const sent: ClientMessage[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  send: (message: ClientMessage) => sent.push(message),
}));
const doc = await import("./document");
const { beginInteraction, commitInteraction, interaction } = await import("./interaction");
const view = await import("./view");
const { registerTraits } = await import("./toolTraits");
const rest = await import("./restOverlays");

const at = { character: "biped", take: "tea" };
registerTraits("carrier", { drawsAtRest: true, subject: () => at });

const curve = (style: "edit" | "reference", closed = false): Overlay => ({
  shape: "curve",
  positions: [
    [0, 0, 0],
    [1, 0, 0],
  ],
  style,
  closed,
  name: "",
});
const ring: Overlay = {
  ...{ shape: "handle", name: "cup at frame 1", position: [0, 0, 0], symbol: "dot" },
  ...{ direction: null, style: "edit", label: "", time: 1, grounded: false },
};

function answer(overlays: Overlay[], more: Partial<RestOverlays> = {}): RestOverlays {
  return {
    type: "RestOverlays",
    arrays: [],
    tool: "carrier",
    ...at,
    overlays,
    problem: "",
    ...more,
  };
}

function preview(id: number, overlays: Overlay[]): void {
  const shown = {
    id,
    poses: [],
    meshes: [],
    span: null,
    drag: null,
    overlays,
    notes: [],
    offer: null,
  };
  doc.previews.value = new Map([[id, { ...shown, solvedRemaining: null }]]);
}

const document = (revision: number) => ({ revision, takes: {} }) as unknown as Document;
const requests = () => sent.filter(({ type }) => type === "RequestRestOverlays");

doc.inStep.value = true;
doc.documentState.value = document(1);
rest.startRestOverlays();

beforeEach(() => {
  interaction.value = null;
  doc.previews.value = new Map();
  view.tool.value = "other";
  doc.documentState.value = document(1);
  sent.length = 0;
  view.tool.value = "carrier";
});

test("they are asked for with the tool, and again when the document has changed", () => {
  expect(requests()).toEqual([{ type: "RequestRestOverlays", tool: "carrier", ...at }]);
  expect(rest.restOverlaysLoaded()).toBe(false);
  rest.receiveRestOverlays(answer([ring]));
  expect(rest.restOverlaysLoaded()).toBe(true);
  expect(rest.draggableOverlays()).toEqual([ring]);
  doc.documentState.value = document(2);
  expect(requests()).toHaveLength(2);
  expect(rest.overlaysNow()).toEqual([ring]); // as it was, until the answer comes
  view.tool.value = "other";
  expect(rest.overlaysNow()).toEqual([]);
  expect(rest.restOverlaysLoaded()).toBe(true);
});

test("an answer about another take or tool is ignored", () => {
  rest.receiveRestOverlays(answer([ring], { take: "walk" }));
  rest.receiveRestOverlays(answer([ring], { tool: "other" }));
  expect(rest.overlaysNow()).toEqual([]);
});

test("a preview takes their place, and what was committed stays until the next answer", () => {
  rest.receiveRestOverlays(answer([ring]));
  const id = beginInteraction("carrier", null, 1);
  preview(id, [curve("edit"), curve("reference"), curve("edit", true)]);
  expect(rest.overlaysNow()).toHaveLength(3);
  expect(rest.draggableOverlays()).toHaveLength(3);
  commitInteraction();
  doc.previews.value = new Map();
  expect(rest.overlaysNow()).toEqual([curve("edit")]);
  rest.receiveRestOverlays(answer([ring]));
  expect(rest.overlaysNow()).toEqual([ring]);
});

test("an interaction is about the take that the tool says, whatever is held", () => {
  beginInteraction("carrier", { joint: "Cup", character: "Cup" }, 1);
  expect(sent.at(-1)).toMatchObject({ type: "BeginInteraction", ...at });
});
