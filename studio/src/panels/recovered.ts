// A bar that offers to restore documents after a crash.

import { effect, signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { recent, welcome } from "../state/document";
import { interaction } from "../state/interaction";
import type { RecentInfo, Welcome } from "../wire/messages";
import { send } from "../wire/socket";
import { ask } from "../controls/dialog";
import { openNamed } from "./files";
import { clock } from "../controls/text";

const KEPT = "arcwright.left";
const left = signal<ReadonlySet<string>>(new Set((localStorage.getItem(KEPT) ?? "").split("\n")));

/** The welcome after which something was done: from then on the offer is in the way, and stays in File, Open. */
const worked = signal<Welcome | null>(null);
effect(() => {
  if (interaction.value) worked.value = welcome.peek();
});

export function recoveredBar(): TemplateResult | typeof nothing {
  const all = offers(welcome.value?.recent ?? [], recent.value);
  const found = all[0]; // the newest; older ones stay in File, Open
  if (!found || left.value.has(found.name) || worked.value === welcome.value) return nothing;
  const leave = () => {
    left.value = new Set([...left.peek(), ...all.map((each) => each.name)]);
    localStorage.setItem(KEPT, [...left.peek()].slice(-100).join("\n"));
  };
  return html`<div class="card recovered" role="status">
    <span
      >${found.label}, from ${clock(found.when)}, was not
      saved${found.damage ? `. ${found.damage}` : ""}</span
    >
    <button
      class="main"
      @click=${() => {
        leave();
        openNamed(found.name, "recover");
      }}
    >
      Restore
    </button>
    <button title="It stays in File, Open" @click=${leave}>Later</button>
    <button title="Deletes it for good" @click=${() => discard(found)}>Discard</button>
  </div>`;
}

/** What lay there when this window came and still does: what was left unsaved since then was meant to be. Undone steps alone stay in File, Open. */
export function offers(first: readonly RecentInfo[], now: readonly RecentInfo[]): RecentInfo[] {
  return first.filter(
    (each) =>
      each.recover &&
      each.differs &&
      now.some((other) => other.recover && other.name === each.name),
  );
}

export function discard(found: RecentInfo): void {
  ask(
    `Discard ${found.label}?`,
    "Its changes were never saved to a file and cannot be restored afterwards.",
    [
      { label: "Cancel", main: true },
      { label: "Discard", run: () => send({ type: "DiscardRecovered", name: found.name }) },
    ],
  );
}
