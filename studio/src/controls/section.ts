// A collapsible section of a side panel; it remembers its state.

import { signal, type Signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";

const folded = kept("folded");
const unfolded = kept("unfolded"); // though they have nothing to say

export interface Section {
  title: string;
  /** Beside the title, such as a count. */
  aside?: string | TemplateResult | typeof nothing;
  body: () => TemplateResult | TemplateResult[];
  /** It has nothing to say now: folded, unless it was unfolded by hand. */
  idle?: boolean;
}

export function section({ title, aside, body, idle = false }: Section): TemplateResult {
  const open = idle ? unfolded.value.has(title) : !folded.value.has(title);
  return html`<section class="part">
    <h2>
      <button
        class="part-title"
        aria-expanded=${open}
        @click=${() => turn(idle ? unfolded : folded, idle ? "unfolded" : "folded", title)}
      >
        <span class="caret" aria-hidden="true">▸</span>${title}
      </button>
      <span class="part-aside">${aside ?? nothing}</span>
    </h2>
    ${open ? html`<div class="part-body">${body()}</div>` : nothing}
  </section>`;
}

/** Unfolds a part: something has just asked to see it. */
export function unfold(title: string): void {
  if (folded.peek().has(title)) turn(folded, "folded", title);
}

function turn(titles: Signal<ReadonlySet<string>>, name: string, title: string): void {
  const next = new Set(titles.peek());
  if (!next.delete(title)) next.add(title);
  titles.value = next;
  localStorage.setItem(`arcwright.${name}`, JSON.stringify([...next]));
}

function kept(name: string): Signal<ReadonlySet<string>> {
  return signal(new Set(stored(`arcwright.${name}`)));
}

function stored(name: string): string[] {
  try {
    const info: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(info) ? info.map(String) : [];
  } catch {
    return [];
  }
}
