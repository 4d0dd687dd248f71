// Choices that a tool offers during an interaction: buttons that set one of its options.

import { html, type TemplateResult } from "lit-html";
import { discardNotes } from "../state/discardPreview";
import { previews } from "../state/document";
import { moveOption } from "../gestures/setting";
import { interaction, setInteractionOptions } from "../state/interaction";
import { toolOf } from "../tools/shared/registry";
import type { ChoiceInfo, ChoicesOverlay } from "../wire/messages";

/** Sets the option; notes were about another choice. */
function choose(option: string, value: ChoiceInfo["value"]): void {
  const now = interaction.peek();
  if (now) discardNotes(now.id);
  if (now && toolOf(now.tool).keepsChoices) moveOption(option, value);
  else setInteractionOptions({ [option]: value });
}

/** The choices of this window's interaction. */
export function choicesNow(): ChoicesOverlay[] {
  const shown = previews.value.get(interaction.value?.id ?? -1)?.overlays ?? [];
  return shown.filter((each): each is ChoicesOverlay => each.shape === "choices");
}

export function choiceButtons({ option, title, choices, chosen }: ChoicesOverlay): TemplateResult {
  return html`<span class="choices" role="radiogroup" aria-label=${title}>
    <span class="quiet">${title}</span>
    <span class="switch"
      >${choices.map(
        ({ label, value }, i) =>
          html`<button
            role="radio"
            aria-checked=${i === chosen}
            @click=${() => choose(option, value)}
          >
            ${label}
          </button>`,
      )}</span
    >
  </span>`;
}
