import { beforeEach, expect, test, vi } from "vitest";
import type { Change, ServerMessage, ClientMessage } from "../wire/messages";

const said: ClientMessage[] = [];
let draw = () => {};
vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return { line: signal("open"), say: (word: ClientMessage) => said.push(word) };
});
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
vi.stubGlobal("requestAnimationFrame", (picture: () => void) => ((draw = picture), 1));
vi.stubGlobal("cancelAnimationFrame", () => undefined);

const { hear } = await import("../state/hear");
const { grab, held } = await import("../state/hands");
const { handWasTaken, settle, slideSoon } = await import("./sliding");

const change = { change: "MoveKeys", character: "biped", take: "walk", keys: [] } as Change;
const ended = (hand: number) =>
  hear({
    message: {
      type: "InteractionEnded",
      interaction: hand,
      committed: false,
      label: "",
    } as unknown as ServerMessage,
    arrays: {},
  });
const words = () => said.map((word) => word.type);

function slid(): number {
  slideSoon(change);
  draw();
  return held.peek()?.hand ?? -1;
}

beforeEach(() => {
  settle(false);
  said.length = 0;
});

test("a slide is let go by the hand that began it", () => {
  slid();
  settle(true);
  expect(words()).toEqual(["PreviewChange", "CommitInteraction"]);
});

test("a slide whose hand was ended by an undo says nothing more", () => {
  ended(slid());
  expect(handWasTaken()).toBe(true);
  slideSoon(change);
  draw();
  settle(true);
  expect(words()).toEqual(["PreviewChange", "CancelInteraction"]);
  slid();
  expect(words()).toEqual(["PreviewChange", "CancelInteraction", "PreviewChange"]);
});

test("a hand does not outlive the line to the server", () => {
  slid();
  hear({
    message: { type: "Welcome", tools: [], recent: [] } as unknown as ServerMessage,
    arrays: {},
  });
  expect(held.peek()).toBeNull();
  expect(handWasTaken()).toBe(true);
});

test("keys held without a button are let go of when the viewport takes hold", () => {
  slid();
  const hand = grab("tangent", { joint: "Hips", offset: [0, 0, 0], character: "" }, 0);
  settle(true);
  expect(words()).toEqual(["PreviewChange", "CancelInteraction", "BeginInteraction"]);
  expect(held.peek()?.hand).toBe(hand);
});
