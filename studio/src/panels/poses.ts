// The Pose panel: buttons of pose commands, the tween slider, the pose library.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { askName } from "../controls/askName";
import { keyFor } from "../controls/keyFor";
import { openMenu } from "../controls/menu";
import { section } from "../controls/section";
import { commands, run } from "../state/commands";
import { KEYING_SETS, keyingSet, type KeyingSet } from "../state/keyingSet";
import * as poses from "../state/poses";
import type { StoredPoseInfo } from "../wire/messages";
import { mayEdit, viewOnly } from "../wire/role";
import { poseThumbnail } from "../viewport/thumbnail";
import "../style/poses.css";

/** Shown for takes whose keys can be posed. */
export function posePart(): TemplateResult | typeof nothing {
  if (!poses.canPose() || viewOnly.value) return nothing;
  return section({ title: "Pose and keys", body });
}

function body(): TemplateResult {
  return html`<label class="field-row" title="Which joints and channels these commands act on">
      <span class="field-label">Keying set</span>
      <select
        aria-label="Keying set"
        .value=${live(keyingSet.value)}
        @change=${(event: Event) =>
          (keyingSet.value = (event.target as HTMLSelectElement).value as KeyingSet)}
      >
        ${Object.entries(KEYING_SETS).map(
          ([name, label]) =>
            html`<option value=${name} ?selected=${keyingSet.value === name}>${label}</option>`,
        )}
      </select>
    </label>
    <div class="pose-buttons">
      ${button("pose.key", "Key")}${button("pose.copy", "Copy")}${button("pose.paste", "Paste")}
      ${button("pose.paste_mirrored", "Paste mirrored")}${button("pose.mirror", "Mirror")}
      ${button("pose.reset", "Reset")}
    </div>
    ${tween()}${library()}`;
}

function button(id: string, label: string): TemplateResult {
  const found = commands().find((each) => each.id === id);
  const key = keyFor(id);
  return html`<button
    title="${found?.label ?? label}${key ? ` (${key})` : ""}"
    ?disabled=${!(found?.enabled?.() ?? false)}
    @click=${() => run(id)}
  >
    ${label}
  </button>`;
}

const sliding = signal<{ of: number | "tween"; share: number } | null>(null);
const tweening = new poses.SlidChange(poses.tweenAt);
let blending: poses.SlidChange | null = null;

/** From the key before to the key after; it rests in the middle. */
function tween(): TemplateResult {
  const now = sliding.value?.of === "tween" ? sliding.value.share : 0.5;
  const slide = (event: Event) => {
    if (!mayEdit()) return;
    const share = Number((event.target as HTMLInputElement).value) / 100;
    sliding.value = { of: "tween", share };
    tweening.slide(share);
  };
  const end = (keep: boolean) => {
    if (sliding.peek()?.of !== "tween") return;
    sliding.value = null;
    tweening.end(keep);
  };
  return html`<label
    class="field-row"
    title="The pose between the keys before and after this frame; beyond the ends it exaggerates"
  >
    <span class="field-label">Tween</span>
    <span class="share-row"
      ><input
        type="range"
        class="weight tween"
        min="-50"
        max="150"
        step="1"
        aria-label="Tween between neighbouring keys"
        style="--share: ${25 + 50 * now}%"
        .value=${live(String(Math.round(100 * now)))}
        @input=${slide}
        @change=${() => end(true)}
        @keydown=${(event: KeyboardEvent) => event.key === "Escape" && end(false)}
      /><span class="figures">${Math.round(100 * now)} %</span></span
    >
  </label>`;
}

function library(): TemplateResult {
  const all = poses.posesHere();
  const cards = html`<div class="pose-library" role="list" aria-label="Pose library">
    ${all.map(card)}
  </div>`;
  return html`${all.length ? cards : html`<p class="quiet">Stored poses are kept in the project.</p>`}
    <button
      class="pose-add"
      title="Store the pose of the keying set in the library"
      @click=${store}
    >
      + Store pose
    </button>`;
}

function card(info: StoredPoseInfo, index: number): TemplateResult {
  const now = sliding.value?.of === index ? sliding.value.share : 0;
  const slide = (event: Event) => {
    if (!mayEdit()) return;
    blending ??= new poses.SlidChange((weight) => poses.storedPoseAt(index, weight));
    const share = Number((event.target as HTMLInputElement).value) / 100;
    sliding.value = { of: index, share };
    blending.slide(share);
  };
  const end = (keep: boolean) => {
    blending?.end(keep);
    blending = sliding.value = null;
  };
  return html`<div
    class="pose-card"
    role="listitem"
    @contextmenu=${(e: MouseEvent) => menu(e, info, index)}
  >
    <button
      class="pose-picture"
      title="Apply ${info.name}"
      aria-label="Apply pose ${info.name}"
      @click=${() => poses.applyStoredPose(index)}
    >
      ${info.picture ? html`<img src=${info.picture} alt="" width="64" height="64" />` : nothing}
    </button>
    <span class="pose-name" title=${info.name}>${info.name}</span>
    <button
      class="plain tiny"
      aria-label="More for pose ${info.name}"
      title="More"
      @click=${(event: MouseEvent) => menu(event, info, index)}
    >
      ⋯
    </button>
    <input
      type="range"
      class="weight"
      min="0"
      max="100"
      aria-label="Blend in pose ${info.name}"
      title="Blend in"
      style="--share: ${100 * now}%"
      .value=${live(String(Math.round(100 * now)))}
      @input=${slide}
      @change=${() => end(true)}
      @keydown=${(event: KeyboardEvent) => event.key === "Escape" && end(false)}
    />
  </div>`;
}

function menu(event: MouseEvent, info: StoredPoseInfo, index: number): void {
  event.preventDefault();
  openMenu(
    [
      { label: "Apply", run: () => poses.applyStoredPose(index) },
      { label: "Apply mirrored", run: () => poses.applyStoredPose(index, true) },
      {
        label: "Rename…",
        line: true,
        run: () => askName("Rename pose", info.name, (name) => poses.renamePose(index, name)),
      },
      { label: "Remove", run: () => poses.removePose(index) },
    ],
    event.clientX,
    event.clientY,
  );
}

function store(): void {
  if (!mayEdit()) return;
  const picture = poseThumbnail();
  askName("Store pose", `Pose ${poses.posesHere().length + 1}`, (name) =>
    poses.storePose(name, picture),
  );
}
