// A constraint in the list of wishes.

import { html, type TemplateResult } from "lit-html";
import { spanOf, titleOf, WORDS } from "../constraints/kinds";
import { isShown, removeConstraint, show } from "../state/constraints";
import { chosenWish, frame, rate } from "../state/view";
import type { ConstraintInfo } from "../wire/messages";
import { icon } from "./icons";
import { frameRange } from "./words";

export function constraintRow(told: ConstraintInfo): TemplateResult {
  const { constraint, index } = told;
  const chosen = chosenWish.value?.kind === "constraint" && chosenWish.value.index === index;
  const [start, end] = spanOf(constraint);
  const [title, frames] = [titleOf(constraint), frameRange(start, end, rate.value)];
  const shown = isShown(told);
  return html`<div class="row-pair covered">
    <button
      class="row wish bound ${shown ? "" : "off"}"
      role="option"
      aria-selected=${chosen}
      title="${WORDS[constraint.kind]}: ${title}, frames ${frames}"
      @click=${() => choose(told, start, end)}
    >
      ${icon(constraint.kind)}<span class="row-label">${title}</span
      ><span class="row-aside figures">${frames}</span>
    </button>
    <span class="over"
      ><button
        class="plain tiny display"
        aria-pressed=${shown}
        aria-label="${shown ? "Hide" : "Show"} ${title}"
        title="${shown ? "Hide" : "Show"} it in the viewport"
        @click=${() => show(told, !shown)}
      >
        ${icon(shown ? "eye" : "shut")}
      </button>
      <button
        class="plain tiny"
        aria-label="Remove ${title}"
        title="Remove"
        @click=${() => removeConstraint(index)}
      >
        ${icon("close")}
      </button></span
    >
  </div>`;
}

function choose({ index }: ConstraintInfo, start: number, end: number): void {
  chosenWish.value = { kind: "constraint", index };
  const now = frame.peek() / rate.peek();
  if (now < start || now > end) frame.value = Math.round(start * rate.peek());
}
