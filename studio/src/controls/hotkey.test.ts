import { expect, test } from "vitest";
import { keyOf, plainKey, shownKey, type Pressed } from "./hotkey";

function pressed(key: string, code: string, modifiers: Partial<Pressed> = {}): Pressed {
  return {
    key,
    code,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...modifiers,
  };
}

test("modifiers may be given in any order", () => {
  expect(plainKey("Shift+Ctrl+z")).toBe("Ctrl+Shift+Z");
});

test("names of the same key are one", () => {
  expect(plainKey("Cmd+Esc")).toBe("Ctrl+Escape");
  expect(plainKey("NumpadDecimal")).toBe("Numpad.");
  expect(plainKey("Numpad+")).toBe("Numpad+");
  expect(plainKey("Ctrl++")).toBe("Ctrl++");
});

test("Ctrl and the Apple key are one", () => {
  expect(keyOf(pressed("z", "KeyZ", { metaKey: true }))).toBe("Ctrl+Z");
  expect(keyOf(pressed("Z", "KeyZ", { ctrlKey: true, shiftKey: true }))).toBe("Ctrl+Shift+Z");
});

test("a sign that needs Shift is named without it", () => {
  expect(keyOf(pressed("?", "Slash", { shiftKey: true }))).toBe("?");
  expect(keyOf(pressed("ArrowLeft", "ArrowLeft", { shiftKey: true }))).toBe("Shift+ArrowLeft");
});

test("Alt and other alphabets do not change which key is meant", () => {
  expect(keyOf(pressed("√", "KeyV", { altKey: true }))).toBe("Alt+V");
  expect(keyOf(pressed("≤", "Comma", { altKey: true }))).toBe("Alt+,");
  expect(keyOf(pressed("з", "KeyP"))).toBe("P");
});

test("the number block has keys of its own", () => {
  expect(keyOf(pressed(".", "NumpadDecimal"))).toBe("Numpad.");
  expect(keyOf(pressed("1", "Numpad1"))).toBe("Numpad1");
  expect(keyOf(pressed("1", "Digit1"))).toBe("1");
});

test("space has a name", () => {
  expect(keyOf(pressed(" ", "Space"))).toBe("Space");
});

test("keys are shown with the signs of the machine", () => {
  expect(shownKey("Ctrl+Shift+Z", false)).toBe("Ctrl ⇧ Z");
  expect(shownKey("Ctrl+Shift+Z", true)).toBe("⌘ ⇧ Z");
  expect(shownKey("Alt+ArrowLeft", true)).toBe("⌥ ←");
  expect(shownKey("Numpad.", false)).toBe("Num .");
});
