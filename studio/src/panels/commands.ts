// The verbs that belong to the panels: files, undo, theme, keymap, help.

import { addCommands, type Command } from "../state/commands";
import { story, welcome } from "../state/document";
import { applyConstraints, canApply } from "../state/constraints";
import { held } from "../state/hands";
import { character, chosenWish, ghosts, keymap, strobe, take, theme, tool } from "../state/view";
import { line, say } from "../wire/socket";
import { openCheatSheet } from "./cheatsheet";
import { openExport } from "./exporting";
import { chooseFile, save } from "./files";
import { openFitKeyframes } from "./fitkeys";
import { leftOpen, rightOpen, toggle } from "./layout";
import { SWITCHES } from "./marks";
import { acceptOffer, offered } from "./note";
import { openOpen } from "./open";
import { openPalette } from "./palette";
import { openSaveAs } from "./saveas";
import { nextTheme, THEMES } from "./theme";
import { findContacts, removeWish } from "./wishes";
import { toolLabel } from "./words";

const connected = () => line.value === "open";
const there = () => connected() && story.value !== null;

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
    label: "Add a file to the scene…",
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
];

const EDIT: Command[] = [
  {
    id: "edit.undo",
    label: "Undo",
    group: "Edit",
    hotkey: { blender: "Ctrl+Z", maya: "Ctrl+Z Z" },
    enabled: () => connected() && (story.value?.done.length ?? 0) > 0,
    run: () => say({ type: "Undo" }),
  },
  {
    id: "edit.redo",
    label: "Redo",
    group: "Edit",
    hotkey: { blender: "Ctrl+Shift+Z Ctrl+Y", maya: "Shift+Z Ctrl+Shift+Z Ctrl+Y" },
    enabled: () => connected() && (story.value?.undone.length ?? 0) > 0,
    run: () => say({ type: "Redo" }),
  },
  {
    id: "edit.fit_keyframes",
    label: "Fit keyframes…",
    group: "Edit",
    enabled: () => there() && held.value === null,
    run: () => openFitKeyframes({ character: character.peek(), take: take.peek() }),
  },
  {
    id: "edit.keymap",
    label: "Keys like Maya",
    group: "Edit",
    checked: () => keymap.value === "maya",
    run: () => (keymap.value = keymap.peek() === "maya" ? "blender" : "maya"),
  },
];

const WISHES: Command[] = [
  {
    id: "wishes.find",
    label: "Find contacts",
    group: "Constraints",
    enabled: there,
    run: findContacts,
  },
  {
    id: "wishes.apply",
    label: "Apply constraints and plants to the motion",
    group: "Constraints",
    enabled: () => there() && canApply() && held.value === null,
    run: () => applyConstraints(),
  },
  {
    id: "wishes.remove",
    label: "Remove the chosen pin, contact or constraint",
    group: "Constraints",
    hotkey: { blender: "X Delete", maya: "Delete" },
    where: "viewport",
    enabled: () => chosenWish.value !== null && held.value === null,
    run: () => chosenWish.value && removeWish(chosenWish.value),
  },
  {
    id: "curve.take_offer",
    label: "Add the offered key",
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
    label: "Ghosts",
    group: "View",
    checked: () => ghosts.value.on,
    run: () => (ghosts.value = { ...ghosts.peek(), on: !ghosts.peek().on }),
  },
  {
    id: "view.show_strobe",
    label: "Strobe",
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
    label: "Find a command…",
    group: "Help",
    hotkey: "Ctrl+K",
    run: openPalette,
  },
  {
    id: "help.keys",
    label: "Keys that work now",
    group: "Help",
    hotkey: "? F1",
    run: openCheatSheet,
  },
];

export function addPanelCommands(): void {
  addCommands([...FILE, ...EDIT, ...WISHES, ...VIEW, ...HELP]);
}

/** One verb for each tool the server has, on the keys 1, 2, … */
export function addToolCommands(): void {
  const tools = welcome.value?.tools ?? [];
  addCommands(
    tools.map((each, i) => ({
      id: `tool.${each.name}`,
      label: `Tool: ${toolLabel(each.name)}`,
      group: "Edit" as const,
      hotkey: String(i + 1),
      checked: () => tool.value === each.name,
      run: () => (tool.value = each.name),
    })),
  );
}
