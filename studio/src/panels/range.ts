// The edit range of a tool as numbers, with presets.

import { html, type TemplateResult } from "lit-html";
import { lastFrame } from "../state/view";
import type { EditRange } from "../tools/shared/editRange";
import { measureOf } from "../controls/field";
import { icon } from "../controls/icons";
import { openMenu } from "../controls/menu";
import { numberField } from "../controls/numberField";

export function rangeRow(range: EditRange): TemplateResult {
  const [first, last] = range.chosen();
  const around = range.isLong() && first === null && last === null;
  const end = (
    label: string,
    value: number | null,
    empty: string,
    on: (value: number | null) => void,
  ) =>
    numberField({
      label,
      value,
      measure: measureOf("", "m", true),
      low: 0,
      high: lastFrame.value,
      empty,
      on,
    });
  return html`<div
    class="field-row range-row"
    title="Frames that an edit may change; pose and velocity at its ends stay. The bracket on the ruler shows them"
  >
    <span class="field-label">Edit range</span>
    ${end("Edit range start", first, around ? "auto" : "start", (value) => range.choose(value, last))}
    ${end("Edit range end", last, around ? "auto" : "end", (value) => range.choose(first, value))}
    <button
      class="plain tiny"
      aria-label="Edit range presets"
      title="Edit range presets"
      @click=${(event: MouseEvent) => menu(event, range)}
    >
      ${icon("more")}
    </button>
  </div>`;
}

function menu(event: MouseEvent, range: EditRange): void {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  const [first, last] = range.chosen();
  openMenu(
    [
      { label: "From this frame", run: () => range.fromHere() },
      { label: "To this frame", run: () => range.toHere() },
      { label: "Playback range", run: () => range.asPlayed() },
      ...(range.isLong() ? [{ label: "Whole take", run: () => range.wholeTake() }] : []),
      {
        label: `Automatic: ${range.automaticText()}`,
        line: true,
        enabled: first !== null || last !== null,
        run: () => range.automatic(),
      },
    ],
    box.left,
    box.bottom,
  );
}
