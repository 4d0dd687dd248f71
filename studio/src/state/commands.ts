// All commands of the studio: menus, search, shortcuts and their list are made from these.

import { signal } from "@preact/signals-core";
import { viewOnly } from "../wire/role";
import { cancelInteraction, commitOpen, interaction } from "./interaction";
import { keymap } from "./view";

export interface Command {
  id: string; // "time.play"
  label: string; // "Play or pause"
  group:
    | "File"
    | "Edit"
    | "View"
    | "Time"
    | "Curve"
    | "Pose"
    | "Keys"
    | "Constraints"
    | "Layers"
    | "Help";
  /** Keys as "Ctrl+Shift+Z", "Space", "ArrowLeft", "P"; by keymap or the same in both.
   * Two keys for one verb: "Ctrl+Shift+Z Ctrl+Y". */
  hotkey?: string | { blender?: string; maya?: string };
  /** Where a key works; "anywhere" by default. A key in "timeline" wins under the pointer there. */
  where?: "anywhere" | "viewport" | "timeline";
  enabled?: () => boolean;
  /** Shown when its key is pressed and it is not enabled. */
  why?: string;
  /** For verbs that switch something: whether it is on. */
  checked?: () => boolean;
  run: () => void;
}

const known = signal<readonly Command[]>([]);

export function addCommands(added: readonly Command[]): void {
  const fresh = new Set(added.map((each) => each.id));
  known.value = [...known.peek().filter((each) => !fresh.has(each.id)), ...added.map(guarded)];
}

const EDITING: readonly Command["group"][] = ["File", "Pose", "Keys", "Constraints", "Layers"];
const MORE_EDITING = new Set([
  "edit.undo",
  "edit.redo",
  "curve.move",
  "curve.turn",
  "curve.time",
  "curve.draw",
  "curve.take_offer",
]);

/** Whether a command is only for those who may edit. */
export function isEditing(command: Command): boolean {
  return EDITING.includes(command.group) || MORE_EDITING.has(command.id);
}

/** A command that edits commits an open interaction first; so undoing right after undoes that. */
function guarded(command: Command): Command {
  if (!isEditing(command)) return command;
  const run = () => {
    const unkeyed = interaction.peek()?.unkeyed;
    if (unkeyed && command.id === "edit.undo") return cancelInteraction();
    if (!unkeyed) commitOpen(); // a pose that is not keyed yet outlives other edits of its frame
    command.run();
  };
  return { ...command, enabled: () => !viewOnly.value && (command.enabled?.() ?? true), run };
}

export function commands(): readonly Command[] {
  return known.value;
}

export function run(id: string): void {
  const found = known.peek().find((each) => each.id === id);
  if (found && (found.enabled?.() ?? true)) found.run();
}

export function hotkeyOf(command: Command): string | undefined {
  const info = command.hotkey;
  return typeof info === "object" ? info[keymap.value] : info;
}
