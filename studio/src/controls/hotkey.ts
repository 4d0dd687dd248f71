// Keys by name: "Ctrl+Shift+Z", "Space", "ArrowLeft", "Numpad.", "?". Ctrl also means ⌘.

export interface Pressed {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

const MODIFIERS = ["Ctrl", "Alt", "Shift"];
const SAME: Record<string, string> = {
  " ": "Space",
  Esc: "Escape",
  Del: "Delete",
  Return: "Enter",
  NumpadDecimal: "Numpad.",
  NumpadPeriod: "Numpad.",
  Cmd: "Ctrl",
  Control: "Ctrl",
  Mod: "Ctrl",
};
const BY_CODE: Record<string, string> = {
  Comma: ",",
  Period: ".",
  Slash: "/",
  Minus: "-",
  Equal: "=",
  NumpadDecimal: "Numpad.",
  NumpadAdd: "Numpad+",
  NumpadSubtract: "Numpad-",
};

/** One spelling for each key: modifiers in order, letters large. */
export function plainKey(info: string): string {
  const parts = info === "+" ? ["+"] : info.split(/\+(?=.)/).map((part) => SAME[part] ?? part);
  const key = parts[parts.length - 1] ?? "";
  const modifiers = MODIFIERS.filter((each) => parts.slice(0, -1).includes(each));
  return [...modifiers, key.length === 1 ? key.toUpperCase() : key].join("+");
}

/** The name of the key that was pressed, in the same spelling. */
export function keyOf(event: Pressed): string {
  const modifiers = [];
  if (event.ctrlKey || event.metaKey) modifiers.push("Ctrl");
  if (event.altKey) modifiers.push("Alt");
  const key = baseKey(event);
  // a sign such as "?" has used Shift up already
  const sign = key.length === 1 && key.toLowerCase() === key.toUpperCase() && !/[0-9]/.test(key);
  if (event.shiftKey && !sign) modifiers.push("Shift");
  return [...modifiers, key].join("+");
}

function baseKey(event: Pressed): string {
  const { key, code } = event;
  if (/^Numpad([0-9]|Decimal|Add|Subtract)$/.test(code)) return BY_CODE[code] ?? code;
  const letter =
    /^Key([A-Z])$/.exec(code)?.[1] ?? /^Digit([0-9])$/.exec(code)?.[1] ?? BY_CODE[code];
  // Alt and other alphabets change the letter that is typed, not the key that is meant
  const foreign = key.length === 1 && key.charCodeAt(0) > 126;
  if (letter && (event.altKey || foreign || key === "Dead")) return letter;
  const plain = SAME[key] ?? key;
  return plain.length === 1 ? plain.toUpperCase() : plain;
}

const SIGNS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Delete: "Del",
};

const APPLE = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** A key as it is shown: "Ctrl ⇧ Z", with the signs of the machine; the first where there are two. */
export function shownKey(info: string, apple = APPLE): string {
  const parts = plainKey(info.split(" ")[0] ?? "").split(/\+(?=.)/);
  const names: Record<string, string> = apple
    ? { ...SIGNS, Ctrl: "⌘", Alt: "⌥", Shift: "⇧" }
    : { ...SIGNS, Shift: "⇧" };
  return parts.map((part) => names[part] ?? part.replace(/^Numpad/, "Num ")).join(" ");
}
