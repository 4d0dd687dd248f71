// A quiet bar for documents that a crash left behind.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { welcome } from "../state/document";
import { openNamed } from "./files";
import { clock } from "./words";

const KEPT = "arcwright.left";
const left = signal<ReadonlySet<string>>(new Set((localStorage.getItem(KEPT) ?? "").split("\n")));

export function recoveredBar(): TemplateResult | typeof nothing {
  const all = (welcome.value?.recent ?? []).filter((each) => each.recover);
  const found = all[0]; // the newest; older ones stay in File, Open
  if (!found || left.value.has(found.name)) return nothing;
  const leave = () => {
    left.value = new Set([...left.peek(), ...all.map((each) => each.name)]);
    localStorage.setItem(KEPT, [...left.peek()].slice(-100).join("\n"));
  };
  return html`<div class="card recovered" role="status">
    <span>${found.label}, from ${clock(found.when)}, was not saved</span>
    <button
      class="main"
      @click=${() => {
        leave();
        openNamed(found.name, "recover");
      }}
    >
      Open it
    </button>
    <button title="It stays in File, Open" @click=${leave}>Leave it</button>
  </div>`;
}
