import { beforeEach, expect, test, vi } from "vitest";
import type { Change, ServerMessage, ClientMessage } from "../wire/messages";

const sent: ClientMessage[] = [];
let draw = () => {};
vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return { line: signal("open"), send: (message: ClientMessage) => sent.push(message) };
});
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
vi.stubGlobal("requestAnimationFrame", (picture: () => void) => ((draw = picture), 1));
vi.stubGlobal("cancelAnimationFrame", () => undefined);

const { receive } = await import("../state/receive");
const { beginInteraction, interaction } = await import("../state/interaction");
const { wasInterrupted, finishPreview, slideSoon } = await import("./changePreview");

const change = { change: "MoveKeys", character: "biped", take: "walk", keys: [] } as Change;
const ended = (id: number) =>
  receive({
    message: {
      type: "InteractionEnded",
      interaction: id,
      committed: false,
      label: "",
    } as unknown as ServerMessage,
    arrays: {},
  });
const messages = () => sent.map((message) => message.type);

function slid(): number {
  slideSoon(change);
  draw();
  return interaction.peek()?.id ?? -1;
}

beforeEach(() => {
  finishPreview(false);
  sent.length = 0;
});

test("a preview is committed by the interaction that began it", () => {
  slid();
  finishPreview(true);
  expect(messages()).toEqual(["PreviewChange", "CommitInteraction"]);
});

test("a preview whose interaction was ended by an undo sends nothing more", () => {
  ended(slid());
  expect(wasInterrupted()).toBe(true);
  slideSoon(change);
  draw();
  finishPreview(true);
  expect(messages()).toEqual(["PreviewChange", "CancelInteraction"]);
  slid();
  expect(messages()).toEqual(["PreviewChange", "CancelInteraction", "PreviewChange"]);
});

test("an interaction ends with the connection to the server", () => {
  slid();
  receive({
    message: { type: "Welcome", tools: [], recent: [] } as unknown as ServerMessage,
    arrays: {},
  });
  expect(interaction.peek()).toBeNull();
  expect(wasInterrupted()).toBe(true);
});

test("keys moved without a button are cancelled when a drag begins in the viewport", () => {
  slid();
  const id = beginInteraction("tangent", { joint: "Hips", offset: [0, 0, 0], character: "" }, 0);
  finishPreview(true);
  expect(messages()).toEqual(["PreviewChange", "CancelInteraction", "BeginInteraction"]);
  expect(interaction.peek()?.id).toBe(id);
});
