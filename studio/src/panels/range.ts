// The range of frames that an edit of a whole motion may change.

import { html, type TemplateResult } from "lit-html";
import { lastFrame } from "../state/view";
import {
  anyRange,
  anyRangeWords,
  asPlayed,
  chooseRange,
  chosenRange,
  fromHere,
  isLong,
  toHere,
  wholeTake,
} from "../tools/spacetime";
import { measureOf } from "./field";
import { icon } from "./icons";
import { openMenu } from "./menu";
import { numberField } from "./numberfield";
import { sentence } from "./words";

export function rangeRow(): TemplateResult {
  const [first, last] = chosenRange();
  const around = isLong() && first === null && last === null;
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
    title="Frames that a drag may change; place and speed at its ends stay. The bracket on the ruler shows them"
  >
    <span class="field-label">Frames</span>
    ${end("First frame of the edit", first, around ? "auto" : "start", (value) => chooseRange(value, last))}
    ${end("Last frame of the edit", last, around ? "auto" : "end", (value) => chooseRange(first, value))}
    <button
      class="plain tiny"
      aria-label="Choose the range"
      title="Choose the range"
      @click=${menu}
    >
      ${icon("more")}
    </button>
  </div>`;
}

function menu(event: MouseEvent): void {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  const [first, last] = chosenRange();
  openMenu(
    [
      { label: "From this frame", run: fromHere },
      { label: "To this frame", run: toHere },
      { label: "As the playback range", run: asPlayed },
      ...(isLong() ? [{ label: "The whole take", run: wholeTake }] : []),
      {
        label: sentence(anyRangeWords()),
        line: true,
        enabled: first !== null || last !== null,
        run: anyRange,
      },
    ],
    box.left,
    box.bottom,
  );
}
