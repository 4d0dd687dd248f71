import { beforeEach, expect, test, vi } from "vitest";
import type { Cast, Document, Up } from "../wire/messages";

const said: Up[] = [];
vi.mock("../wire/socket", async () => {
  const { signal } = await import("@preact/signals-core");
  return { line: signal("open"), say: (word: Up) => said.push(word) };
});
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });

const { hear } = await import("./hear");
const { startAsking } = await import("./ask");
const { line } = await import("../wire/socket");

const rig = (name: string) => ({ name, prop: false, joints: [], parents: [], nodes: [], channels: [] });
const cast = (name: string) => ({ tell: "cast", arrays: [], model: `model/${name}`, rigs: [rig(name)] }) as unknown as Cast;
const document = (name: string, take: string) =>
  ({ tell: "document", arrays: [], revision: 1, done: [], takes: { [name]: [{ name: take, rate: 24, duration: 1, layers: [] }] } }) as unknown as Document;
const tell = (message: Cast | Document) => hear({ message, arrays: {} });

startAsking();
beforeEach(() => {
  tell(cast("first"));
  tell(document("first", "walk"));
  said.length = 0;
});

test("nothing is asked about the old document once another comes", () => {
  tell(cast("second"));
  expect(said).toEqual([]);
  tell(document("second", "jump"));
  expect(said.map((word) => word.say)).toEqual(expect.arrayContaining(["show", "askkeys", "askframes"]));
  expect(said.every((word) => "character" in word && word.character === "second")).toBe(true);
});

test("after the line was lost nothing is asked until the document was told again", () => {
  (line as { value: string }).value = "lost";
  (line as { value: string }).value = "open";
  expect(said).toEqual([]);
  tell(document("first", "walk"));
  expect(said.map((word) => word.say)).toContain("askkeys");
});
