import { beforeEach, expect, test, vi } from "vitest";
import type { ClientMessage, CommitInteraction, ServerMessage } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const wire = vi.hoisted(() => ({ sent: [] as ClientMessage[], isOpen: true }));
vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return {
    line: signal("open"),
    send: (message: ClientMessage) => wire.isOpen && wire.sent.push(message) > 0,
    unsentBytes: () => 0,
  };
});
vi.mock("./metronome", () => ({ Metronome: class {}, wakeSound: () => undefined }));
vi.mock("./placing", () => ({ placingOf: () => ({}) }));
vi.mock("./deviceFeed", () => ({
  DeviceFeed: class {
    refused = 0;
    constructor(
      _: unknown,
      private readonly sender: { add: (samples: object) => void },
    ) {}
    pass(): void {
      this.sender.add({ type: "AppendPerformance", times: [0, 0.5, 1.5], poses: [] });
    }
  },
}));

const { toasts } = await import("../state/document");
const { beginInteraction, cancelInteraction, commitInteraction, commitOpen, interaction } =
  await import("../state/interaction");
const { receive } = await import("../state/receive");
const { recording } = await import("../state/recording");
const { activeTool } = await import("../tools/shared/registry");
const { startRecording, stopRecording } = await import("./recorder");

const give = (message: object) =>
  receive({ message: { arrays: [], ...message } as unknown as ServerMessage, arrays: {} });
const welcome = () => give({ type: "Welcome", tools: [], recent: [], role: "edit" });
const openDocument = (recordings: object[] = []) =>
  give({ type: "Document", takes: {}, done: [], undone: [], recordings, path: "", name: "" });
const keptEnd = (id: number) => ({
  type: "InteractionEnded",
  interaction: id,
  committed: true,
  label: "Perform Jaw",
});
const settle = () => new Promise((resolve) => setTimeout(resolve));
const sent = (type: string) => wire.sent.filter((each) => each.type === type);

const stage = { opening: { dragged: () => {} }, changed: () => {}, orbit: {} } as never;
const device = { label: "mouse", space: "screen", start: async () => {}, stop: () => {} } as never;
const item = { point: null, channels: ["Jaw.rotate.x"], label: "Jaw" };

/** A recording that was stopped and is reviewed; its interaction. */
async function acted(): Promise<number> {
  startRecording(stage, { device, item, beats: 0 });
  await settle();
  stopRecording();
  expect(recording.peek()?.phase).toBe("review");
  return interaction.peek()!.id;
}

beforeEach(async () => {
  if (interaction.peek()) cancelInteraction();
  await settle();
  welcome();
  openDocument();
  toasts.value = [];
  Object.assign(wire, { sent: [], isOpen: true });
});

test("Keep right after Stop waits for the server, which looks at all samples first", async () => {
  const id = await acted();
  commitOpen();
  await settle();
  expect(wire.sent.map(({ type }) => type)).toEqual([
    "BeginInteraction",
    "AppendPerformance",
    "CommitInteraction",
  ]);
  expect(wire.sent.at(-1)).toMatchObject({ interaction: id, if_changed: true });
  expect(recording.peek()?.phase).toBe("review");
  give(keptEnd(id));
  await settle();
  expect(recording.peek()).toBeNull();
});

test("where nothing can be kept the review stays, says why, and can be kept with a choice", async () => {
  const id = await acted();
  commitOpen();
  give({
    type: "Preview",
    interaction: id,
    poses: [],
    meshes: [],
    span: null,
    drag: null,
    overlays: [],
  });
  give({
    type: "Notes",
    interaction: id,
    notes: [{ text: "No loop: it moves once" }],
    offer: null,
  });
  give({ type: "InteractionUnchanged", interaction: id });
  await settle();
  expect(recording.peek()?.phase).toBe("review");
  expect(interaction.peek()).toMatchObject({ id, open: true });
  expect(toasts.peek().map(({ text }) => text)).toEqual([
    "Nothing kept yet. No loop: it moves once",
  ]);
  expect(sent("CancelInteraction")).toEqual([]);
  commitOpen();
  expect(sent("CommitInteraction")).toHaveLength(2);
  give(keptEnd(id));
});

test("a drag in between does not end a review of which nothing was kept", async () => {
  const id = await acted();
  const drag = beginInteraction("pose", null, 0);
  give({ type: "InteractionUnchanged", interaction: id });
  await settle();
  expect(interaction.peek()?.id).toBe(drag);
  commitInteraction();
  give(keptEnd(drag));
  await settle();
  expect(interaction.peek()).toMatchObject({ id, open: true });
  expect(recording.peek()?.phase).toBe("review");
});

test("a recording behind a new one comes back once that has ended", async () => {
  const first = await acted();
  const second = await acted();
  give({ type: "InteractionUnchanged", interaction: first });
  commitOpen();
  give(keptEnd(second));
  await settle();
  expect(interaction.peek()).toMatchObject({ id: first, open: true });
  expect(recording.peek()?.phase).toBe("review");
});

test("Keep on a lost connection is carried out once it is there again", async () => {
  await acted();
  wire.isOpen = false;
  commitOpen();
  await settle();
  Object.assign(wire, { sent: [], isOpen: true });
  welcome();
  await settle();
  expect(wire.sent).toEqual([]); // the document says whether it was kept
  openDocument();
  await settle();
  expect(wire.sent.map(({ type }) => type)).toEqual([
    "BeginInteraction",
    "AppendPerformance",
    "CommitInteraction",
  ]);
  expect(sent("AppendPerformance")[0]).toMatchObject({ times: [0, 0.5, 1.5] });
  give(keptEnd((wire.sent.at(-1) as CommitInteraction).interaction));
});

test("what was kept before the connection was lost is not kept twice", async () => {
  await acted();
  commitOpen();
  wire.sent = [];
  welcome();
  openDocument([{ tool: activeTool().name, duration: 1.5 }]);
  await settle();
  expect(wire.sent).toEqual([]);
  expect(recording.peek()).toBeNull();
});
