// A bar that offers to correct a take whose falls do not fit its frame rate.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { takeName, takeOf } from "../state/document";
import { character, take } from "../state/view";
import type { SetTiming, TakeInfo } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { send } from "../wire/socket";

const left = signal<ReadonlySet<string>>(new Set());

export function frameRateBar(): TemplateResult | typeof nothing {
  const info = takeOf(character.value, take.value);
  const place = takeName(character.value, take.value);
  const check = info?.rate_check;
  if (!info || !check || left.value.has(place) || !mayEdit()) return nothing;
  return html`<div class="card recovered" role="status">
    <span>${info.name} ${check.text}</span>
    <button
      class="main"
      title="Frames stay as they are; one step that can be undone"
      @click=${() => send({ type: "ApplyChange", change: corrected(info, check.rate) })}
    >
      Set ${check.rate} fps
    </button>
    <button @click=${() => (left.value = new Set([...left.peek(), place]))}>
      Keep ${Math.round(info.rate * 100) / 100} fps
    </button>
  </div>`;
}

/** The change that gives the take another rate and keeps its frames. */
export function corrected(info: TakeInfo, rate: number): SetTiming {
  const here = { character: character.peek(), take: take.peek() };
  const { duration, loops } = info;
  return { change: "SetTiming", ...here, rate, duration, loops, keep: "frames" };
}
