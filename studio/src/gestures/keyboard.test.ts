import { expect, test, vi } from "vitest";

vi.hoisted(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} }));

import type { Command } from "../state/commands";
import { keymap } from "../state/view";
import { commandFor, refusalFor } from "./keyboard";

const say = () => {};
const all: Command[] = [
  {
    id: "time.play",
    label: "Play",
    group: "Time",
    hotkey: { blender: "Space", maya: "Alt+V" },
    run: say,
  },
  {
    id: "curve.time",
    label: "Scale time",
    group: "Curve",
    hotkey: "S",
    where: "viewport",
    run: say,
  },
  {
    id: "keys.scale",
    label: "Scale keys",
    group: "Keys",
    hotkey: "S",
    where: "timeline",
    run: say,
  },
  {
    id: "file.open",
    label: "Open",
    group: "File",
    hotkey: "Ctrl+O",
    enabled: () => false,
    run: say,
  },
  { id: "edit.redo", label: "Redo", group: "Edit", hotkey: "Ctrl+Shift+Z Ctrl+Y", run: say },
];

test("a key means what is under the pointer", () => {
  expect(commandFor("S", "viewport", all)?.id).toBe("curve.time");
  expect(commandFor("S", "timeline", all)?.id).toBe("keys.scale");
});

test("over the panels a key still means the viewport, never the timeline", () => {
  expect(commandFor("S", "elsewhere", all)?.id).toBe("curve.time");
});

test("a command that cannot run now has no key", () => {
  expect(commandFor("Ctrl+O", "viewport", all)).toBeUndefined();
});

test("a command may have two keys", () => {
  expect(commandFor("Ctrl+Y", "viewport", all)?.id).toBe("edit.redo");
});

test("the keymap decides", () => {
  expect(commandFor("Alt+V", "viewport", all)).toBeUndefined();
  keymap.value = "maya";
  expect(commandFor("Alt+V", "viewport", all)?.id).toBe("time.play");
  keymap.value = "blender";
});

test("a key that cannot do anything now may say why", () => {
  const pin: Command = {
    id: "pin",
    label: "Pin",
    group: "Constraints",
    hotkey: "P",
    enabled: () => false,
    why: "Select first.",
    run: say,
  };
  expect(commandFor("P", "timeline", [...all, pin])).toBeUndefined();
  expect(refusalFor("P", [...all, pin])).toBe("Select first.");
  expect(refusalFor("Ctrl+O", [...all, pin])).toBeUndefined();
});
