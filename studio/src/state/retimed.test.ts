import { beforeEach, expect, test, vi } from "vitest";
import type { RetimedInfo } from "../wire/messages";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { followRetimed, followUndo, movedTime, withTimingNote } = await import("./retimed");
const { character, frame, range, take } = await import("./view");

// 24 frames a second; the second from 1 to 2 takes half a second longer
const info: RetimedInfo = { character: "biped", take: "jump", before: [1, 2], after: [1, 2.5] };

beforeEach(() => {
  character.value = "biped";
  take.value = "jump";
  frame.value = 36;
  range.value = [12, 60];
});

test("times before stay, times between are stretched, later ones shift", () => {
  const moved = [0.5, 1, 1.5, 2, 3].map((time) => movedTime(info.before, info.after, time));
  expect(moved).toEqual([0.5, 1, 1.75, 2.5, 3.5]);
});

test("playhead and range stay on their moments, and go back with an undo", () => {
  followRetimed(info, 3);
  expect(frame.value).toBe(42);
  expect(range.value).toEqual([12, 72]);
  followUndo(2, false);
  expect(frame.value).toBe(36);
  expect(range.value).toEqual([12, 60]);
  followUndo(1, false); // another step
  expect(frame.value).toBe(36);
});

test("another document does not move the playhead", () => {
  followRetimed(info, 1);
  followUndo(0, true);
  expect(frame.value).toBe(42);
});

test("a take of another actor follows only where later frames shift", () => {
  character.value = "friend";
  followRetimed({ ...info, before: [1, 1.5, 2], after: [1, 1.7, 2] }, 1);
  expect(frame.value).toBe(36);
  followRetimed(info, 1);
  expect(frame.value).toBe(42);
});

test("a quick release tells its timing, once", () => {
  const notes = withTimingNote([], info);
  expect(notes.map((note) => note.text)).toEqual(["Timing: 0.50 s longer, later frames shift"]);
  expect(withTimingNote(notes, info)).toEqual(notes);
});
