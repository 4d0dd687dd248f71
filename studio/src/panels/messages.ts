// Toasts, and bars of work that takes a while.

import { html, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { styleMap } from "lit-html/directives/style-map.js";
import { jobs, toasts } from "../state/document";
import { solving } from "../state/interaction";
import { send } from "../wire/socket";
import { filming } from "./export";
import { uploading } from "./files";
import { icon } from "../controls/icons";

export function toastList(): TemplateResult {
  return html`${repeat(
    toasts.value,
    (each) => each.id,
    (each) =>
      html`<div class="card toast ${each.tone}" role=${each.tone === "error" ? "alert" : "status"}>
        <span>${each.text}</span>
        <button
          class="plain tiny"
          aria-label="Close"
          @click=${() => (toasts.value = toasts.peek().filter((other) => other.id !== each.id))}
        >
          ${icon("close")}
        </button>
      </div>`,
  )}`;
}

interface Bar {
  label: string;
  share: number;
  cancel?: () => void;
}

export function jobBars(): TemplateResult {
  const all: Bar[] = [...jobs.value.values()].map((each) => ({
    label: each.label,
    share: each.share,
    ...(each.cancel ? { cancel: () => void send({ type: "CancelJob", job: each.job }) } : {}),
  }));
  if (uploading.value) all.push({ ...uploading.value, label: `Uploading ${uploading.value.name}` });
  if (filming.value) all.push(filming.value);
  if (solving.value !== null) all.push({ label: "Solving", share: 0 });
  return html`${all.map(bar)}`;
}

function bar(job: Bar): TemplateResult {
  const share = Math.max(0, Math.min(job.share, 1));
  return html`<div class="card job">
    <span class="job-label">${job.label}…</span>
    <span
      class="job-bar ${share === 0 ? "unknown" : ""}"
      role="progressbar"
      aria-label=${job.label}
      aria-valuenow=${Math.round(100 * share)}
    >
      <span style=${styleMap({ width: `${100 * share}%` })}></span>
    </span>
    ${job.cancel ? html`<button class="small" @click=${job.cancel}>Cancel</button>` : ""}
  </div>`;
}
