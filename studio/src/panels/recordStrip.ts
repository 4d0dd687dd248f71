// The strip over the viewport while a performance is recorded and reviewed; choices of any tool lie there, too.

import { html, nothing, type TemplateResult } from "lit-html";
import { keyFor } from "../controls/keyFor";
import { run } from "../state/commands";
import { previews } from "../state/document";
import { interaction } from "../state/interaction";
import {
  beat,
  beatsLeft,
  lastSeen,
  recordedTime,
  recording,
  timerText,
  type RecordingState,
} from "../state/recording";
import { choiceButtons, choicesNow } from "./choices";
import "../style/record.css";

const ANALYSING = html`<span class="quiet">Analysing…</span>`;

export function recordStrip(): TemplateResult | typeof nothing {
  const now = recording.value;
  const choices = choicesNow();
  if (!now && choices.length === 0) return nothing;
  return html`<div class="card record-strip" role="status" data-phase=${now?.phase ?? nothing}>
    ${now && now.phase !== "review" ? acting(now) : nothing}${choices.map(choiceButtons)}${
      now?.phase === "review" ? (interaction.value?.open ? endings() : ANALYSING) : nothing
    }
  </div>`;
}

function acting({ phase, item, device }: RecordingState): TemplateResult {
  const text = {
    waiting: "Waiting for the device",
    counting: "Get ready",
    recording: timerText(recordedTime.value),
    review: "",
  }[phase];
  return html`<span class="record-dot" aria-hidden="true"></span>
    <span class="record-text figures">${text}</span>
    <span class="record-what"><b>${item}</b> <span class="quiet">${device}</span></span>
    <button class="small" @click=${() => run("time.record")}>
      Stop <kbd>${keyFor("time.record")}</kbd>
    </button>`;
}

function endings(): TemplateResult {
  const seen = previews.value.get(interaction.value?.id ?? -1) ?? null;
  return html`<span class="record-ends">
    ${seen === lastSeen.value ? ANALYSING : nothing}
    <button class="main" @click=${() => run("edit.apply")}>Keep <kbd>Enter</kbd></button>
    <button @click=${() => run("edit.cancel")}>Discard <kbd>Esc</kbd></button>
    <button @click=${() => run("time.record_again")}>Record again</button>
  </span>`;
}

/** The beats that are left, large, in the middle of the viewport. */
export function countdown(): TemplateResult | typeof nothing {
  if (recording.value?.phase !== "counting") return nothing;
  const left = beatsLeft(recordedTime.value, beat.value);
  return html`<div class="countdown" role="timer" aria-label="Count-in">${left || ""}</div>`;
}
