// The shortcut of a command in the current keymap, as text.

import { shownKey } from "./hotkey";
import { commands, hotkeyOf } from "../state/commands";

export function keyFor(id: string): string {
  const found = commands().find((each) => each.id === id);
  const key = found && hotkeyOf(found);
  return key ? shownKey(key) : "";
}
