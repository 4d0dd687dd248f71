// Numbers of the selected keys: their frame and value; another number moves them.

import { html, nothing, type TemplateResult } from "lit-html";
import { numberField } from "../controls/numberField";
import { counted } from "../controls/text";
import { chosenKeys, rate } from "../state/view";
import { doAtOnce, here, isInteractionFree } from "../timeline/changePreview";
import { keyAt, keyCount } from "../timeline/curve";
import { still, unitOf } from "../timeline/sheetState";
import { pairsOf } from "../timeline/trackKeys";
import { viewOnly } from "../wire/role";

export function keyFields(): TemplateResult | typeof nothing {
  const keys = pairsOf(chosenKeys.value).filter(([channel, key]) => {
    const curve = still.value.get(channel);
    return curve && key < keyCount(curve);
  });
  const [first] = keys;
  if (!first) return nothing;
  const of = ([channel, key]: [number, number]) => keyAt(still.value.get(channel)!, key);
  const times = keys.map((each) => of(each).time);
  const values = keys.map((each) => of(each).value);
  const kinds = new Set(keys.map(([channel]) => unitOf(channel).kind));
  const { factor, sign } = unitOf(first[0]);
  const move = (by: { time?: number; value?: number }) =>
    isInteractionFree() && doAtOnce({ change: "MoveKeys", ...here(), keys, ...by });
  return html`<div class="field-row" title="Type a number to move the selected keys">
    <span class="field-label">${counted(keys.length, "key")}</span>
    ${numberField({
      label: "Frame of the selected keys",
      value: same(times) ? times[0]! : null,
      measure: { unit: "fr", scale: rate.value, digits: 1, step: 1 },
      disabled: viewOnly.value || !same(times),
      on: (to) => to !== null && move({ time: to - times[0]! }),
    })}
    ${numberField({
      label: "Value of the selected keys",
      value: same(values) && kinds.size === 1 ? values[0]! : null,
      measure: { unit: sign.trim(), scale: factor, digits: 2, step: 1 },
      disabled: viewOnly.value || !same(values) || kinds.size > 1,
      on: (to) => to !== null && move({ value: to - values[0]! }),
    })}
  </div>`;
}

function same(numbers: readonly number[]): boolean {
  return numbers.every((each) => Math.abs(each - numbers[0]!) < 1e-6);
}
