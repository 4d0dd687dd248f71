// A collapsible section of a side panel; it remembers its state.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";

const KEPT = "arcwright.folded";
const folded = signal<ReadonlySet<string>>(new Set(stored()));

export interface Section {
  title: string;
  /** Beside the title, such as a count. */
  aside?: string | TemplateResult | typeof nothing;
  body: () => TemplateResult | TemplateResult[];
}

export function section({ title, aside, body }: Section): TemplateResult {
  const open = !folded.value.has(title);
  return html`<section class="part">
    <h2>
      <button class="part-title" aria-expanded=${open} @click=${() => fold(title)}>
        <span class="caret" aria-hidden="true">▸</span>${title}
      </button>
      <span class="part-aside">${aside ?? nothing}</span>
    </h2>
    ${open ? html`<div class="part-body">${body()}</div>` : nothing}
  </section>`;
}

/** Unfolds a part: something has just asked to see it. */
export function unfold(title: string): void {
  if (folded.peek().has(title)) fold(title);
}

function fold(title: string): void {
  const next = new Set(folded.peek());
  if (!next.delete(title)) next.add(title);
  folded.value = next;
  localStorage.setItem(KEPT, JSON.stringify([...next]));
}

function stored(): string[] {
  try {
    const info: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(info) ? info.map(String) : [];
  } catch {
    return [];
  }
}
