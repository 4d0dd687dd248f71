// The card of a lesson: instructions, progress, buttons.

import { html, nothing, type TemplateResult } from "lit-html";
import { finished, going, hintNow, leaveLesson, next, stepOf, begin, type Going } from "./guide";
import type { Lesson } from "./lesson";

export function lessonCard(all: readonly Lesson[]): TemplateResult | typeof nothing {
  const now = going.value;
  if (!now) return nothing;
  return stepOf(now) ? stepCard(now) : endCard(now, all);
}

function stepCard(now: Going): TemplateResult {
  const hint = hintNow();
  return html`<div class="card lesson" role="status">
    <header>
      <b>${now.lesson.title}</b>
      <span class="lesson-dots" aria-label="Step ${now.step + 1} of ${now.lesson.steps.length}">
        ${now.lesson.steps.map((_, i) => html`<i class=${i < now.step ? "past" : i === now.step ? "now" : ""}></i>`)}
      </span>
      <button class="plain small" @click=${leaveLesson}>Leave</button>
    </header>
    <p>${stepOf(now)?.text}</p>
    ${hint ? html`<p class="lesson-hint">${hint}</p>` : nothing}
    ${now.ready ? html`<button class="main" @click=${next}>Next</button>` : nothing}
  </div>`;
}

function endCard(now: Going, all: readonly Lesson[]): TemplateResult {
  const later = all.find((each) => !finished.value.includes(each.id));
  return html`<div class="card lesson" role="status" data-finished=${now.lesson.id}>
    <header><b>${now.lesson.title}</b><span class="lesson-done">✓ done</span></header>
    <p>${now.lesson.end}</p>
    <footer>
      ${later ? html`<button class="main" @click=${() => begin(later)}>Next: ${later.title}</button>` : nothing}
      <button @click=${leaveLesson}>Close</button>
    </footer>
  </div>`;
}
