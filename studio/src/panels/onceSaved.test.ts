import { expect, test, vi } from "vitest";
import { lastSaved } from "../state/document";
import type { Saved } from "../wire/messages";
import { onceSaved } from "./onceSaved";

const saved = () => (lastSaved.value = { type: "Saved", path: "mine.arc.glb" } as Saved);

test("what waits for a save is done once, when it has gone well", async () => {
  const open = vi.fn();
  onceSaved(open);
  await Promise.resolve();
  expect(open).not.toHaveBeenCalled();
  saved();
  saved();
  await Promise.resolve();
  expect(open).toHaveBeenCalledOnce();
});

test("another save drops the callback of one that failed", async () => {
  const open = vi.fn();
  onceSaved(open);
  onceSaved();
  saved();
  await Promise.resolve();
  expect(open).not.toHaveBeenCalled();
});
