// Another prop in the place of an object: by a button, or by a file dropped on it.

import { html, nothing, type TemplateResult } from "lit-html";
import type { ActivityEventInfo } from "../wire/messages";
import { chooseReplacement } from "./files";

/** A button for each object that may be replaced at an event. */
export function replaceButtons(event: ActivityEventInfo): TemplateResult | typeof nothing {
  if (!event.replaceable.length) return nothing;
  return html`<div class="event-buttons">
    ${event.replaceable.map(
      (object) =>
        html`<button
          type="button"
          title="Put the prop of a file in its place; or drop the file on it"
          @click=${() => chooseReplacement(object)}
        >
          Swap ${object}…
        </button>`,
    )}
  </div>`;
}
