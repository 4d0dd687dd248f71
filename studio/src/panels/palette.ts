// Search for commands, joints, takes and files.

import { signal } from "@preact/signals-core";
import { html, type TemplateResult } from "lit-html";
import { commands, hotkeyOf, type Command } from "../state/commands";
import { sceneInfo, folder, documentState, welcome } from "../state/document";
import { shownKey } from "../controls/hotkey";
import { character, kept } from "../state/view";
import { send } from "../wire/socket";
import { openDialog } from "../controls/dialog";
import { openNamed } from "./files";
import { fuzzy, type Found } from "./fuzzy";
import { icon, type IconName } from "../controls/icons";
import { chooseTake, selectJoint } from "./outliner";
import { synonymsOf } from "./synonyms";
import "../style/palette.css";

/** How often commands were run from here. */
const used = kept<Readonly<Record<string, number>>>("used", {});

/** What is used often comes first among what fits alike. */
function usedWeight(id: string): number {
  return 0.3 * Math.log2(1 + (used.value[id] ?? 0));
}

interface Entry {
  id: string; // of a command; "" for others
  text: string;
  aside: string;
  sign: IconName | null;
  enabled: boolean;
  run: () => void;
}

const MOST = 60; // rows that are drawn
const typed = signal("");
const at = signal(0);

export function openPalette(): void {
  typed.value = "";
  at.value = 0;
  send({ type: "ListFolder", folder: "" });
  openDialog({ name: "palette", body });
}

function body(close: () => void): TemplateResult {
  const found = fuzzy(
    entries(),
    typed.value,
    (each) => each.text,
    ({ id }) => ({ words: synonymsOf(id), weight: usedWeight(id) }),
  ).slice(0, MOST);
  const chosen = Math.min(at.value, Math.max(found.length - 1, 0));
  const go = (entry: Entry | undefined) => {
    if (!entry?.enabled) return;
    close();
    if (entry.id) used.value = { ...used.peek(), [entry.id]: (used.peek()[entry.id] ?? 0) + 1 };
    entry.run();
  };
  return html`<div class="palette-field">
      ${icon("search")}
      <input
        autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-rows"
        aria-activedescendant="palette-${chosen}"
        aria-label="Search commands, joints, takes and files"
        placeholder="Search commands, joints, takes and files"
        autocomplete="off"
        spellcheck="false"
        @input=${(event: Event) => {
          typed.value = (event.target as HTMLInputElement).value;
          at.value = 0;
        }}
        @keydown=${(event: KeyboardEvent) => onKey(event, found.length, () => go(found[chosen]?.item))}
      />
    </div>
    <div class="rows" id="palette-rows" role="listbox">
      ${found.map((each, i) => row(each, i, i === chosen, go))}
      ${found.length === 0 ? html`<p class="quiet">No matches.</p>` : ""}
    </div>`;
}

function row(
  found: Found<Entry>,
  i: number,
  chosen: boolean,
  go: (entry: Entry) => void,
): TemplateResult {
  const { item, hits } = found;
  return html`<button
    class="row ${item.enabled ? "" : "off"}"
    id="palette-${i}"
    role="option"
    tabindex="-1"
    aria-selected=${chosen}
    aria-disabled=${!item.enabled}
    @pointermove=${() => at.peek() !== i && (at.value = i)}
    @click=${() => go(item)}
  >
    <span class="row-sign">${item.sign ? icon(item.sign) : ""}</span>
    <span class="row-label">${lit(item.text, hits)}</span><kbd class="row-aside">${item.aside}</kbd>
  </button>`;
}

function lit(text: string, hits: number[]): TemplateResult[] {
  const marked = new Set(hits);
  return [...text].map((letter, i) => (marked.has(i) ? html`<b>${letter}</b>` : html`${letter}`));
}

function onKey(event: KeyboardEvent, count: number, go: () => void): void {
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
  if (event.key === "Enter") go();
  else if (by && count > 0) {
    const next = Math.abs(by) === 1 ? (at.peek() + by + count) % count : at.peek() + by;
    at.value = Math.min(Math.max(next, 0), count - 1);
    document.getElementById(`palette-${at.peek()}`)?.scrollIntoView({ block: "nearest" });
  } else return;
  event.preventDefault();
}

function entries(): Entry[] {
  return [...commands().map(commandEntry), ...takes(), ...joints(), ...files()];
}

function commandEntry(command: Command): Entry {
  const key = hotkeyOf(command);
  return {
    id: command.id,
    text: command.label,
    aside: key ? shownKey(key) : command.group,
    sign: null,
    enabled: command.enabled?.() ?? true,
    run: command.run,
  };
}

function takes(): Entry[] {
  return Object.entries(documentState.value?.takes ?? {}).flatMap(([who, all]) =>
    all.map((each) => entry(each.name, who, "take", () => chooseTake(each.name, who))),
  );
}

function joints(): Entry[] {
  const rigs = (sceneInfo.value?.rigs ?? []).filter((rig) => rig.name === character.value);
  return rigs.flatMap((rig) =>
    rig.joints.map((joint) =>
      entry(joint, "joint", "joint", () => selectJoint(rig.name, joint, false)),
    ),
  );
}

function files(): Entry[] {
  const built = (welcome.value?.built_ins ?? []).map((name) =>
    entry(name.replace(":", ", "), "open", "figure", () => openNamed(name, "builtin")),
  );
  const here = (folder.value?.entries ?? []).filter((each) => !each.folder);
  return [
    ...built,
    ...here.map((each) => {
      const name = folder.value?.folder ? `${folder.value.folder}/${each.name}` : each.name;
      return entry(each.name, "open", "file", () => openNamed(name, "file"));
    }),
  ];
}

function entry(text: string, aside: string, sign: IconName, run: () => void): Entry {
  return { id: "", text, aside, sign, enabled: true, run };
}
