// The note card: what blocks a drag, and a suggested key; for a while after release, too.

import { computed, effect, signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { previews, leftUndone, documentState, type InteractionPreview } from "../state/document";
import {
  beginInteraction,
  interaction,
  lastEnd,
  updateInteraction,
  isRotating,
  acceptOffer as commitOffer,
  type Interaction,
} from "../state/interaction";
import { recording } from "../state/recording";
import type { NoteInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { icon } from "../controls/icons";

const isActing = computed(() => {
  const phase = recording.value?.phase;
  return phase !== undefined && phase !== "review";
});

interface Card {
  info: InteractionPreview;
  interaction: Interaction;
  steps: number; // done when the interaction began
  ended: boolean;
}

const STAYS = 8000; // ms after release
const REACHED = 5e-4; // m
const MOST = 5; // lines of what was left undone

export const card = signal<Card | null>(null);

export function startNotes(): void {
  let steps = 0;
  let timer = 0;
  let latest: Interaction | null = null;
  const stay = (shown: Omit<Card, "ended">) => {
    card.value = { ...shown, ended: true };
    clearTimeout(timer);
    timer = window.setTimeout(dismiss, STAYS);
  };
  effect(() => {
    const current = interaction.value;
    const info = previews.value.get(current?.id ?? latest?.id ?? -1);
    const last = card.peek();
    if (!current) {
      const late = info?.notes.length && info.notes !== last?.info.notes;
      if (latest && late && !info.drag && lastEnd.peek() === "CommitInteraction")
        return stay({ info, interaction: latest, steps }); // the notes on the committed result
      if (!last || last.ended) return;
      if (lastEnd.peek() !== "CommitInteraction") return dismiss();
      return stay(last);
    }
    latest = current;
    if (last?.interaction.id !== current.id) steps = documentState.peek()?.done.length ?? 0;
    clearTimeout(timer);
    const worth =
      info !== undefined &&
      ((info.drag?.remaining ?? 0) > REACHED ||
        isRotating(current.id) ||
        !!info.offer ||
        !info.drag);
    card.value =
      worth && info.notes.length > 0 ? { info, interaction: current, steps, ended: false } : null;
  });
  let most = 0; // steps done since the interaction ended
  effect(() => {
    const now = card.value;
    const count = documentState.value?.done.length ?? 0;
    most = now?.ended ? Math.max(most, count) : 0;
    if (now?.ended && (count > now.steps + 1 || count < most)) dismiss(); // another step, or an undo
  });
}

export function dismiss(): void {
  card.value = null;
}

/** Whether the offer can still be taken: nothing else was done since. */
export function offered(): boolean {
  const now = card.value;
  if (!now?.info.offer) return false;
  return !now.ended || (documentState.value?.done.length ?? 0) <= now.steps + 1;
}

/** Accepts the suggestion; after release, the step is undone and done again with the key. */
export function acceptOffer(): void {
  const now = card.peek();
  if (!now || !offered()) return;
  dismiss();
  if (!now.ended) return commitOffer();
  const { tool, point, time, wanted, handle } = now.interaction;
  if (!point || !wanted) return;
  if ((documentState.peek()?.done.length ?? 0) > now.steps) send({ type: "Undo" });
  beginInteraction(tool, point, time);
  updateInteraction(wanted, handle);
  commitOffer();
}

export function noteCard(): TemplateResult | typeof nothing {
  const now = card.value;
  if (isActing.value) return nothing; // what is acted is judged once it is over
  if (!now) return leftCard();
  const { notes, offer } = now.info;
  return html`<div class="card note ${informs(notes) ? "informs" : ""}" role="status">
    ${sign(notes)}${lines(notes)}
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
  if (!left || left.revision !== documentState.value?.revision || interaction.value) return nothing;
  return html`<div class="card note ${informs(left.notes) ? "informs" : ""}" role="status">
    ${sign(left.notes)}${lines(left.notes.slice(0, MOST), left.text, left.notes.length - MOST)}
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

/** Something to know wears another sign than something that is not as it should be. */
function sign(notes: readonly NoteInfo[]): TemplateResult {
  return icon(informs(notes) ? "info" : "note");
}

function informs(notes: readonly NoteInfo[]): boolean {
  return notes.length > 0 && notes.every((note) => note.kind === "info");
}

function lines(notes: readonly NoteInfo[], first = "", more = 0): TemplateResult {
  return html`<span class="note-text"
    >${first ? html`<span class="quiet">${first}</span>` : nothing}${notes.map((note) => html`<span>${note.text.charAt(0).toUpperCase() + note.text.slice(1)}</span>`)}${
      more > 0 ? html`<span class="quiet">and ${more} more</span>` : nothing
    }</span
  >`;
}
