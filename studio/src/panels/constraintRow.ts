// A constraint in the list.

import { html, type TemplateResult } from "lit-html";
import { kindLabel } from "../constraints/fields";
import { spanOf } from "../constraints/kinds";
import { isShown, removeConstraint, show } from "../state/constraints";
import { selectedConstraint, frame, rate } from "../state/view";
import type { ConstraintInfo } from "../wire/messages";
import { constraintIcon, icon } from "../controls/icons";
import { frameRange } from "../controls/text";

export function constraintRow(info: ConstraintInfo): TemplateResult {
  const { constraint, index } = info;
  const chosen =
    selectedConstraint.value?.kind === "constraint" && selectedConstraint.value.index === index;
  const [start, end] = spanOf(constraint);
  const [title, frames] = [info.title, frameRange(start, end, rate.value)];
  const shown = isShown(info);
  return html`<div class="row-pair covered" role="listitem">
    <button
      class="row constraint-item shape ${shown ? "" : "off"}"
      aria-current=${chosen}
      title="${kindLabel(constraint.kind)}: ${title}, frames ${frames}"
      @click=${() => choose(info, start, end)}
    >
      ${constraintIcon(constraint.kind)}<span class="row-label">${title}</span
      ><span class="row-aside figures">${frames}</span>
    </button>
    <span class="over"
      ><button
        class="plain tiny display"
        aria-pressed=${shown}
        aria-label="${shown ? "Hide" : "Show"} ${title}"
        title="${shown ? "Hide" : "Show"} in viewport"
        @click=${() => show(info, !shown)}
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
  selectedConstraint.value = { kind: "constraint", index };
  const now = frame.peek() / rate.peek();
  if (now < start || now > end) frame.value = Math.round(start * rate.peek());
}
