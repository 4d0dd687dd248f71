// Commands of the panels: files, undo, theme, keymap, help.

import { addCommands, type Command } from "../state/commands";
import { documentState, welcome } from "../state/document";
import { applyConstraints, canApply } from "../state/constraints";
import { committing, interaction } from "../state/interaction";
import {
  character,
  selectedConstraint,
  ghosts,
  keymap,
  strobe,
  take,
  theme,
  tool,
} from "../state/view";
import { line, send } from "../wire/socket";
import { openCheatSheet } from "./shortcuts";
import { openExport } from "./export";
import { chooseFile, save } from "./files";
import { openFitKeyframes } from "./fitKeyframes";
import { leftOpen, rightOpen, toggle } from "./layout";
import { SWITCHES } from "./viewOptions";
import { acceptOffer, offered } from "./note";
import { openOpen } from "./open";
import { openPalette } from "./palette";
import { openPhoneDialog } from "./phoneDialog";
import { SOUND } from "./soundCommands";
import { openSaveAs } from "./saveAs";
import { nextTheme, THEMES } from "./theme";
import { UI_SCALE } from "./uiScale";
import { detectContacts, removeSelected } from "../state/pointConstraints";
import { toolOf } from "../tools/shared/registry";

const connected = () => line.value === "open";
const there = () => connected() && documentState.value !== null;

const FILE: Command[] = [
  {
    id: "file.open",
    label: "Open…",
    group: "File",
    hotkey: "Ctrl+O",
    enabled: connected,
    run: openOpen,
  },
  {
    id: "file.add",
    label: "Import into scene…",
    group: "File",
    enabled: there,
    run: () => chooseFile(true),
  },
  {
    id: "file.save",
    label: "Save",
    group: "File",
    hotkey: "Ctrl+S",
    enabled: there,
    run: () => save(),
  },
  {
    id: "file.save_as",
    label: "Save as…",
    group: "File",
    hotkey: "Ctrl+Shift+S",
    enabled: there,
    run: () => openSaveAs(),
  },
  {
    id: "file.export",
    label: "Export…",
    group: "File",
    hotkey: "Ctrl+E",
    enabled: there,
    run: openExport,
  },
  {
    id: "file.phone",
    label: "Perform with a phone…",
    group: "File",
    enabled: connected,
    run: openPhoneDialog,
  },
];

const EDIT: Command[] = [
  {
    id: "edit.undo",
    label: "Undo",
    group: "Edit",
    hotkey: { blender: "Ctrl+Z", maya: "Ctrl+Z Z" },
    enabled: () =>
      connected() &&
      ((documentState.value?.done.length ?? 0) > 0 ||
        committing.value.size > 0 ||
        !!interaction.value?.open),
    run: () => send({ type: "Undo" }),
  },
  {
    id: "edit.redo",
    label: "Redo",
    group: "Edit",
    hotkey: { blender: "Ctrl+Shift+Z Ctrl+Y", maya: "Shift+Z Ctrl+Shift+Z Ctrl+Y" },
    enabled: () => connected() && (documentState.value?.undone.length ?? 0) > 0,
    run: () => send({ type: "Redo" }),
  },
  {
    id: "edit.fit_keyframes",
    label: "Fit keyframes…",
    group: "Edit",
    enabled: () => there() && interaction.value === null,
    run: () => openFitKeyframes({ character: character.peek(), take: take.peek() }),
  },
  {
    id: "edit.keymap",
    label: "Keymap: Maya",
    group: "Edit",
    checked: () => keymap.value === "maya",
    run: () => (keymap.value = keymap.peek() === "maya" ? "blender" : "maya"),
  },
];

const CONSTRAINTS: Command[] = [
  {
    id: "constraints.find",
    label: "Detect contacts",
    group: "Constraints",
    enabled: there,
    run: detectContacts,
  },
  {
    id: "constraints.apply",
    label: "Solve constraints",
    group: "Constraints",
    enabled: () => there() && canApply() && interaction.value === null,
    run: () => applyConstraints(),
  },
  {
    id: "constraints.remove",
    label: "Remove selected constraint",
    group: "Constraints",
    hotkey: { blender: "X Delete", maya: "Delete" },
    where: "viewport",
    enabled: () => selectedConstraint.value !== null && interaction.value === null,
    run: () => selectedConstraint.value && removeSelected(selectedConstraint.value),
  },
  {
    id: "curve.take_offer",
    label: "Add suggested key",
    group: "Curve",
    hotkey: "K",
    enabled: offered,
    run: acceptOffer,
  },
];

const VIEW: Command[] = [
  ...SWITCHES.map((each): Command => ({
    id: `view.show_${each.id}`,
    label: each.label,
    group: "View",
    checked: () => each.on.value,
    run: () => (each.on.value = !each.on.peek()),
  })),
  {
    id: "view.show_ghosts",
    label: "Onion skin",
    group: "View",
    checked: () => ghosts.value.on,
    run: () => (ghosts.value = { ...ghosts.peek(), on: !ghosts.peek().on }),
  },
  {
    id: "view.show_strobe",
    label: "Onion skin: all frames",
    group: "View",
    checked: () => strobe.value.on,
    run: () => (strobe.value = { ...strobe.peek(), on: !strobe.peek().on }),
  },
  { id: "view.theme", label: "Next theme", group: "View", run: nextTheme },
  ...THEMES.map((each): Command => ({
    id: `view.theme_${each.name}`,
    label: `Theme: ${each.label.toLowerCase()}`,
    group: "View",
    checked: () => theme.value === each.name,
    run: () => (theme.value = each.name),
  })),
  ...UI_SCALE,
  {
    id: "view.left",
    label: "Scene panel",
    group: "View",
    checked: () => leftOpen.value,
    run: () => toggle("left"),
  },
  {
    id: "view.right",
    label: "Options panel",
    group: "View",
    checked: () => rightOpen.value,
    run: () => toggle("right"),
  },
];

const HELP: Command[] = [
  {
    id: "help.palette",
    label: "Search commands…",
    group: "Help",
    hotkey: "Ctrl+K",
    run: openPalette,
  },
  {
    id: "help.keys",
    label: "Keyboard shortcuts",
    group: "Help",
    hotkey: "? F1",
    run: openCheatSheet,
  },
];

export function addPanelCommands(): void {
  addCommands([...FILE, ...SOUND, ...EDIT, ...CONSTRAINTS, ...VIEW, ...HELP]);
}

/** One verb for each tool the server has, on the keys 1, 2, … */
export function addToolCommands(): void {
  const tools = welcome.value?.tools ?? [];
  addCommands(
    tools.map((each, i) => ({
      id: `tool.${each.name}`,
      label: `Tool: ${toolOf(each.name).label}`,
      group: "Edit" as const,
      hotkey: String(i + 1),
      checked: () => tool.value === each.name,
      run: () => (tool.value = each.name),
    })),
  );
}
