// The dialog Open: unsaved documents, recent files, the folder, built-in characters.

import { html, nothing, type TemplateResult } from "lit-html";
import { folder, placeOf, recent, welcome } from "../state/document";
import type { FileInfo, RecentInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { openDialog } from "../controls/dialog";
import { chooseFile, openNamed } from "./files";
import { icon, type IconName } from "../controls/icons";
import { discard } from "./recovered";
import { clock, sentence, size } from "../controls/text";

export function openOpen(): void {
  send({ type: "ListFolder", folder: "" });
  openDialog({ name: "open", title: "Open", body });
}

function body(close: () => void): TemplateResult {
  const known = recent.value;
  const pick = (name: string, kind?: "file" | "builtin" | "recover") => {
    close();
    openNamed(name, kind);
  };
  return html`<div class="open-columns" @keydown=${walk}>
      <div>
        ${part(
          "Unsaved",
          known
            .filter((each) => each.recover)
            .map((each) => leftRow(each, () => pick(each.name, "recover"))),
        )}
        ${part(`Folder ${placeOf(folder.value?.folder ?? "")}`, folderRows(pick))}
      </div>
      <div>
        ${part(
          "Recent",
          known
            .filter((each) => !each.recover)
            .map((each) => row("file", each.label, when(each), () => pick(each.name))),
        )}
        ${part("Characters", builtIns(pick))}
      </div>
    </div>
    <footer>
      <button
        @click=${() => {
          close();
          chooseFile(false);
        }}
      >
        Browse…
      </button>
      <span class="quiet">or drop a file on the window</span>
    </footer>`;
}

function part(
  title: string,
  rows: TemplateResult[] | typeof nothing,
): TemplateResult | typeof nothing {
  if (rows === nothing || (rows as TemplateResult[]).length === 0) return nothing;
  return html`<h2>${title}</h2>
    <div class="rows">${rows}</div>`;
}

function row(sign: IconName, label: string, aside: string, run: () => void): TemplateResult {
  return html`<button class="row" title=${label} @click=${run}>
    ${icon(sign)}<span class="row-label">${label}</span><span class="row-aside">${aside}</span>
  </button>`;
}

function leftRow(left: RecentInfo, run: () => void): TemplateResult {
  return html`<div class="row-pair">
      ${row("clock", left.label, when(left), run)}
      <button
        class="plain tiny"
        aria-label="Discard ${left.label}"
        title="Discard"
        @click=${() => discard(left)}
      >
        ${icon("close")}
      </button>
    </div>
    ${left.damage ? html`<p class="row-damage">${left.damage}</p>` : nothing}`;
}

function when(recent: RecentInfo): string {
  return clock(recent.when);
}

function folderRows(pick: (name: string, kind: "file") => void): TemplateResult[] {
  const info = folder.value;
  if (!info) return [html`<p class="quiet">Looking…</p>`];
  const inside = (entry: FileInfo) => (info.folder ? `${info.folder}/${entry.name}` : entry.name);
  const go = (to: string) => send({ type: "ListFolder", folder: to });
  const up = info.folder.includes("/") ? info.folder.replace(/\/[^/]*$/, "") : "";
  const rows = info.entries.map((entry) =>
    entry.folder
      ? row("folder", entry.name, "", () => go(inside(entry)))
      : row("file", entry.name, size(entry.size), () => pick(inside(entry), "file")),
  );
  if (info.folder) rows.unshift(row("folder", "..", "", () => go(up)));
  return rows.length > 0
    ? rows
    : [html`<p class="quiet">No files here that the studio can open.</p>`];
}

/** One row per character with its clips as buttons. */
function builtIns(pick: (name: string, kind: "builtin") => void): TemplateResult[] {
  const clips = new Map<string, string[]>();
  for (const name of welcome.value?.built_ins ?? []) {
    const [who = name, clip] = name.split(":");
    clips.set(who, [...(clips.get(who) ?? []), ...(clip ? [clip] : [])]);
  }
  return [...clips].map(
    ([who, own]) =>
      html`<div class="built-in">
        <button class="row" @click=${() => pick(who, "builtin")}>
          ${icon("figure")}<span class="row-label">${sentence(who)}</span>
        </button>
        <span class="chips">
          ${own.map(
            (clip) =>
              html`<button class="chip" @click=${() => pick(`${who}:${clip}`, "builtin")}>
                ${clip.replaceAll("_", " ")}
              </button>`,
          )}
        </span>
      </div>`,
  );
}

function walk(event: KeyboardEvent): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (!by) return;
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll("button")];
  all[all.indexOf(event.target as HTMLButtonElement) + by]?.focus();
  event.preventDefault();
}
