// The note card: what blocks a drag, and a suggested key; for a while after release, too.

import { computed, effect, signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { previews, leftUndone, documentState, type InteractionPreview } from "../state/document";
import {
  beginInteraction,
  commitInteraction,
  interaction,
  lastEnd,
  setInteractionOptions,
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
const FIRST = 2; // notes that are seen without the pointer

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
      const shown = !info?.drag || warns(info.notes);
      if (latest && info && late && shown && lastEnd.peek() === "CommitInteraction")
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
        warns(info.notes) ||
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

/** Whether a committed drag ran out of time, and nothing else was done since. */
export function canSolveFurther(): boolean {
  const now = card.value;
  if (!now?.ended || !now.info.notes.some((note) => note.kind === "unfinished")) return false;
  return (documentState.value?.done.length ?? 0) === now.steps + 1;
}

export function solveFurther(): void {
  const now = card.peek();
  if (!now || !canSolveFurther()) return;
  dismiss();
  send({ type: "SolveFurther", interaction: now.interaction.id });
}

/** Whether a committed drag made the take longer or shorter, and nothing else was done since. */
export function canKeepLength(): boolean {
  const now = card.value;
  if (!now?.ended || !now.interaction.point || !now.interaction.wanted) return false;
  if (!now.info.notes.some((note) => note.kind === "timing" && note.amount > 0)) return false;
  return (documentState.value?.done.length ?? 0) === now.steps + 1;
}

/** Undoes the step and does it again so that the take keeps its length. */
export function keepLength(): void {
  const now = card.peek();
  if (!now || !canKeepLength()) return;
  dismiss();
  const { tool, point, time, wanted, handle, frames, own } = now.interaction;
  send({ type: "Undo" });
  beginInteraction(tool, point, time, frames ? { frames } : {});
  setInteractionOptions({ ...own, keep_length: true });
  updateInteraction(wanted!, handle);
  commitInteraction();
}

const SHOWN = ["moved", "unfinished", "timing"]; // kinds

/** Side effects, unfinished solves and timing are shown even where a drag has arrived. */
function warns(notes: readonly NoteInfo[]): boolean {
  return notes.some((note) => SHOWN.includes(note.kind));
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
      canSolveFurther()
        ? html`<button
            class="offer"
            title="Without a time limit; can be cancelled"
            @click=${solveFurther}
          >
            Solve further
          </button>`
        : nothing
    }
    ${
      canKeepLength()
        ? html`<button
            class="offer"
            title="Later frames stay where they were; the rest of the range plays faster or slower"
            @click=${keepLength}
          >
            Keep length
          </button>`
        : nothing
    }
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
  return notes.length > 0 && notes.every((note) => note.kind === "info" || note.kind === "timing");
}

/** The first lines: more of them would cover the body that is dragged, so they wait for the pointer. */
function lines(notes: readonly NoteInfo[], first = "", more = 0): TemplateResult {
  const text = (note: NoteInfo) => note.text.charAt(0).toUpperCase() + note.text.slice(1);
  const shown = first ? notes.length : FIRST;
  const folded = notes.length - shown;
  return html`<span class="note-text"
    >${first ? html`<span class="quiet">${first}</span>` : nothing}${notes.map(
      (note, i) => html`<span class=${i < shown ? "" : "folded-note"}>${text(note)}</span>`,
    )}${folded > 0 ? html`<span class="quiet unfolds-notes">and ${folded} more</span>` : nothing}${
      more > 0 ? html`<span class="quiet">and ${more} more</span>` : nothing
    }</span
  >`;
}
