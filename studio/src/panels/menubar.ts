// The menu bar: commands by group, recent files and built-in characters.

import { signal } from "@preact/signals-core";
import { commands, hotkeyOf, type Command } from "../state/commands";
import { recent, welcome } from "../state/document";
import { openNamed } from "./files";
import type { MenuItem } from "../controls/menu";

export const MENUS = ["File", "Edit", "View", "Help"] as const;

/** The menu that is open now. */
export const openName = signal<string | null>(null);

const INSIDE: Record<(typeof MENUS)[number], Command["group"][]> = {
  File: [],
  Edit: ["Curve", "Pose", "Keys", "Constraints", "Layers"],
  View: ["Time"],
  Help: [],
};
const LINES = new Set([
  "file.save",
  "file.export",
  "file.phone",
  "edit.keymap",
  "view.left",
  "help.lesson_arc",
]);
/** Verbs that share the beginning of their names lie in a smaller menu. */
const SMALLER: [beginning: string, label: string][] = [
  ["view.show_", "Show"],
  ["view.theme", "Theme"],
  ["view.size_", "Interface size"],
];

export function menuItems(name: (typeof MENUS)[number]): MenuItem[] {
  const own = itemsOf(name);
  if (name === "File") own.splice(1, 0, ...openItems());
  const groups = INSIDE[name].map((group) => ({ label: group, items: itemsOf(group) }));
  const more = groups.filter((each) => each.items.length > 0);
  return [...own, ...more.map((each, i) => ({ ...each, line: i === 0 && own.length > 0 }))];
}

function itemsOf(group: Command["group"]): MenuItem[] {
  const made: MenuItem[] = [];
  const smaller = new Map<string, MenuItem[]>();
  for (const each of commands().filter((command) => command.group === group)) {
    const inside = SMALLER.find(([beginning]) => each.id.startsWith(beginning))?.[1];
    if (!inside) made.push(itemOf(each));
    else if (smaller.has(inside)) smaller.get(inside)?.push(itemOf(each));
    else {
      const items = [itemOf(each)];
      smaller.set(inside, items);
      made.push({ label: inside, items });
    }
  }
  return made;
}

function itemOf(command: Command): MenuItem {
  return {
    label: command.label,
    hotkey: hotkeyOf(command),
    enabled: command.enabled?.() ?? true,
    line: LINES.has(command.id),
    run: command.run,
    ...(command.checked ? { checked: command.checked() } : {}),
  };
}

function openItems(): MenuItem[] {
  const files = recent.value
    .filter((each) => !each.recover)
    .map((each) => ({ label: each.label, run: () => openNamed(each.name) }));
  const builtIn = (welcome.value?.built_ins ?? []).map((name) => ({
    label: name.replace(":", ", ").replaceAll("_", " "),
    run: () => openNamed(name),
  }));
  return [
    { label: "Open recent", items: files, enabled: files.length > 0 },
    { label: "Built-in characters", items: builtIn, enabled: builtIn.length > 0 },
  ];
}
