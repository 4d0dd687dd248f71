// Drop-down and context menus.

import { html, nothing, render, type TemplateResult } from "lit-html";
import { uiScale } from "../state/view";
import { shownKey } from "./hotkey";
import "../style/menu.css";

export interface MenuItem {
  label: string;
  /** As commands write it: "Ctrl+Shift+Z". */
  hotkey?: string | undefined;
  enabled?: boolean;
  /** A tick before the label; undefined is an item that cannot be ticked. */
  checked?: boolean;
  /** A line above this item. */
  line?: boolean;
  /** A smaller menu beside this item. */
  items?: MenuItem[];
  run?: () => void;
}

interface Opened {
  place: HTMLElement;
  items: MenuItem[];
  above: Opened | null;
}

let opened: Opened | null = null;
let onClose: (() => void) | null = null;
let before: Element | null = null;

export function openMenu(items: MenuItem[], x: number, y: number, closed?: () => void): void {
  closeMenu();
  if (items.length === 0) return;
  before = document.activeElement;
  onClose = closed ?? null;
  show(items, x, y, null);
  addEventListener("pointerdown", outside, true);
  addEventListener("blur", closeMenu);
  addEventListener("resize", closeMenu);
}

export function closeMenu(): void {
  if (!opened) return;
  for (let each: Opened | null = opened; each; each = each.above) each.place.remove();
  opened = null;
  removeEventListener("pointerdown", outside, true);
  removeEventListener("blur", closeMenu);
  removeEventListener("resize", closeMenu);
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  onClose?.();
}

function show(items: MenuItem[], x: number, y: number, above: Opened | null, shift = 0): void {
  const place = document.createElement("div");
  place.className = "menu";
  place.setAttribute("role", "menu");
  place.tabIndex = -1;
  const layer = document.querySelector("dialog[open]") ?? document.body; // over a dialog, if one is open
  layer.append(place);
  opened = { place, items, above };
  render(items.map(row), place);
  place.addEventListener("keydown", onKey);
  place.addEventListener("contextmenu", (event) => event.preventDefault());
  const size = place.getBoundingClientRect();
  const left = x + size.width > innerWidth - 4 ? x - size.width - shift : x;
  const top = Math.min(y, innerHeight - size.height - 4);
  place.style.left = `${Math.max(4, left) / uiScale.peek()}px`;
  place.style.top = `${Math.max(4, top) / uiScale.peek()}px`;
  place.focus({ preventScroll: true });
}

function row(item: MenuItem): TemplateResult {
  const tick = item.checked === undefined ? "" : item.checked ? "✓" : "";
  return html`${item.line ? html`<div class="menu-line" role="separator"></div>` : nothing}
    <button
      role=${item.checked === undefined ? "menuitem" : "menuitemcheckbox"}
      aria-checked=${item.checked ?? nothing}
      aria-haspopup=${item.items ? "menu" : nothing}
      ?disabled=${item.enabled === false}
      @click=${(event: Event) => choose(item, event.currentTarget as HTMLElement)}
      @pointerenter=${(event: Event) => over(item, event.currentTarget as HTMLElement)}
    >
      <span class="menu-tick">${tick}</span><span class="menu-label">${item.label}</span>
      <kbd>${item.items ? "▸" : item.hotkey ? shownKey(item.hotkey) : ""}</kbd>
    </button>`;
}

function choose(item: MenuItem, from: HTMLElement): void {
  if (item.items) return openBeside(item, from);
  closeMenu();
  item.run?.();
}

function openBeside(item: MenuItem, from: HTMLElement): void {
  const place = from.parentElement;
  while (opened && opened.place !== place) closeTop();
  const edge = from.getBoundingClientRect();
  show(item.items ?? [], edge.right - 2, edge.top - 4, opened, edge.width - 4);
}

function over(item: MenuItem, from: HTMLElement): void {
  if (item.items && item.enabled !== false) openBeside(item, from);
  else while (opened && opened.place !== from.parentElement) closeTop();
  if (item.enabled !== false && !item.items) from.focus({ preventScroll: true });
}

function closeTop(): void {
  opened?.place.remove();
  opened = opened?.above ?? null;
}

function outside(event: Event): void {
  for (let each = opened; each; each = each.above)
    if (each.place.contains(event.target as Node)) return;
  closeMenu();
}

function onKey(event: KeyboardEvent): void {
  const rows = [...(opened?.place.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const go = (to: number) => rows[(to + rows.length) % rows.length]?.focus();
  if (event.key === "ArrowDown") go(at + 1);
  else if (event.key === "ArrowUp") go(at < 0 ? -1 : at - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(-1);
  else if (event.key === "ArrowRight") rows[at]?.ariaHasPopup && rows[at].click();
  else if (event.key === "ArrowLeft" && opened?.above) closeTop();
  else if (event.key === "Escape" || event.key === "Tab") closeMenu();
  else return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === "ArrowLeft") opened?.place.querySelector<HTMLElement>("button")?.focus();
}
