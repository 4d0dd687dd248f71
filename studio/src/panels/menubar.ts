// What is in the menus: the commands by group, with recent files and built-in characters.

import { signal } from "@preact/signals-core";
import { commands, hotkeyOf, type Command } from "../state/commands";
import { welcome } from "../state/document";
import { openNamed } from "./files";
import type { MenuItem } from "./menu";

export const MENUS = ["File", "Edit", "View", "Help"] as const;

/** The menu that is open now. */
export const openName = signal<string | null>(null);

const INSIDE: Record<(typeof MENUS)[number], Command["group"][]> = {
  File: [],
  Edit: ["Curve", "Pose", "Keys", "Wishes"],
  View: ["Time"],
  Help: [],
};
const LINES = new Set(["file.save", "file.export", "edit.keymap", "view.theme", "help.lesson_arc"]);

export function menuItems(name: (typeof MENUS)[number]): MenuItem[] {
  const own = itemsOf(name);
  if (name === "File") own.splice(1, 0, ...openItems());
  const groups = INSIDE[name].map((group) => ({ label: group, items: itemsOf(group) }));
  const more = groups.filter((each) => each.items.length > 0);
  return [...own, ...more.map((each, i) => ({ ...each, line: i === 0 && own.length > 0 }))];
}

export function itemsOf(group: Command["group"]): MenuItem[] {
  return commands()
    .filter((each) => each.group === group)
    .map((each) => ({
      label: each.label,
      hotkey: hotkeyOf(each),
      enabled: each.enabled?.() ?? true,
      line: LINES.has(each.id),
      run: each.run,
      ...(each.checked ? { checked: each.checked() } : {}),
    }));
}

function openItems(): MenuItem[] {
  const recent = (welcome.value?.recent ?? [])
    .filter((each) => !each.recover)
    .map((each) => ({ label: each.label, run: () => openNamed(each.name) }));
  const builtIn = (welcome.value?.built_ins ?? []).map((name) => ({
    label: name.replace(":", ", "),
    run: () => openNamed(name),
  }));
  return [
    { label: "Open recent", items: recent, enabled: recent.length > 0 },
    { label: "Built-in characters", items: builtIn, enabled: builtIn.length > 0 },
  ];
}
