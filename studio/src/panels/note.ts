// The note card: what keeps a drag short, and the offer of one key; for a while after the hand let go too.

import { effect, signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { hands, leftUndone, story, type HandTold } from "../state/document";
import { grab, held, lastEnd, move, rotates, takeOffer, type Held } from "../state/hands";
import type { NoteInfo } from "../wire/messages";
import { say } from "../wire/socket";
import { icon } from "./icons";

interface Card {
  told: HandTold;
  grip: Held;
  steps: number; // done when the hand took hold
  ended: boolean;
}

const STAYS = 8000; // ms after the hand let go
const REACHED = 5e-4; // m
const MOST = 5; // lines of what was left undone

export const card = signal<Card | null>(null);

export function startNotes(): void {
  let steps = 0;
  let timer = 0;
  effect(() => {
    const grip = held.value;
    const told = grip ? hands.value.get(grip.hand) : undefined;
    const last = card.peek();
    if (!grip) {
      if (!last || last.ended) return;
      if (lastEnd.peek() !== "CommitInteraction") return dismiss();
      card.value = { ...last, ended: true };
      timer = window.setTimeout(dismiss, STAYS);
      return;
    }
    if (last?.grip.hand !== grip.hand) steps = story.peek()?.done.length ?? 0;
    clearTimeout(timer);
    const worth =
      told !== undefined && (told.short > REACHED || rotates(grip.hand) || !!told.offer);
    card.value = worth && told.notes.length > 0 ? { told, grip, steps, ended: false } : null;
  });
  effect(() => {
    const now = card.value;
    const count = story.value?.done.length ?? 0;
    if (now?.ended && count > now.steps + 1) dismiss(); // something else was done since
  });
}

export function dismiss(): void {
  card.value = null;
}

/** Whether the offer can still be taken: nothing else was done since. */
export function offered(): boolean {
  const now = card.value;
  if (!now?.told.offer) return false;
  return !now.ended || (story.value?.done.length ?? 0) <= now.steps + 1;
}

/** Takes the offer; after the hand let go, its step is taken back and done again with the key. */
export function acceptOffer(): void {
  const now = card.peek();
  if (!now || !offered()) return;
  dismiss();
  if (!now.ended) return takeOffer();
  const { tool, point, time, wanted } = now.grip;
  if (!point || !wanted) return;
  if ((story.peek()?.done.length ?? 0) > now.steps) say({ type: "Undo" });
  grab(tool, point, time);
  move(wanted);
  takeOffer();
}

export function noteCard(): TemplateResult | typeof nothing {
  const now = card.value;
  if (!now) return leftCard();
  const { notes, offer } = now.told;
  return html`<div class="card note" role="status">
    ${icon("note")}${lines(notes)}
    ${
      offer && offered()
        ? html`<button class="offer" title="Press K, also while dragging" @click=${acceptOffer}>
            ${offer.text} <kbd>K</kbd>
          </button>`
        : nothing
    }
  </div>`;
}

/** What is not so after constraints were applied: it stays until something else is done. */
function leftCard(): TemplateResult | typeof nothing {
  const left = leftUndone.value;
  if (!left || left.revision !== story.value?.revision || held.value) return nothing;
  return html`<div class="card note" role="status">
    ${icon("note")}${lines(left.notes.slice(0, MOST), left.text, left.notes.length - MOST)}
    <button
      class="plain tiny"
      aria-label="Close the note"
      title="Close"
      @click=${() => (leftUndone.value = null)}
    >
      ${icon("close")}
    </button>
  </div>`;
}

function lines(notes: readonly NoteInfo[], first = "", more = 0): TemplateResult {
  return html`<span class="note-text"
    >${first ? html`<span class="quiet">${first}</span>` : nothing}${notes.map((note) => html`<span>${note.text.charAt(0).toUpperCase() + note.text.slice(1)}</span>`)}${
      more > 0 ? html`<span class="quiet">and ${more} more</span>` : nothing
    }</span
  >`;
}
