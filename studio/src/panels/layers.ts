// Layers: the stack on the shown take, the top one first.

import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { takeOf } from "../state/document";
import * as layers from "../state/layers";
import { character, lastFrame, rate, take, tool } from "../state/view";
import type { LayerInfo } from "../wire/messages";
import { icon } from "./icons";
import { dragRow } from "./layerdrag";
import { openMenu, type MenuItem } from "./menu";
import { askName } from "./naming";
import { frameRange } from "./words";
import "../style/layers.css";

/** Whether there is something to say about layers. */
export function layersMatter(): boolean {
  return layers.layersHere().length > 0 || tool.value === "spacetime";
}

export function layerList(): TemplateResult {
  const all = layers.layersHere();
  if (all.length === 0)
    return html`<p class="quiet">
      None yet. A drag on the motion leaves one, and so do constraints that are applied; the take
      below stays as it is.
    </p>`;
  const rows = all.map((told, layer) => row(told, layer)).reverse();
  return html`<div
      class="layers"
      role="listbox"
      aria-label="Layers, the top one first"
      @keydown=${onKey}
    >
      ${rows}
    </div>
    ${base()}`;
}

function row(told: LayerInfo, layer: number): TemplateResult {
  const percent = Math.round(100 * layers.weightOf(layer));
  return html`<div
    class="layer ${told.muted ? "muted" : ""}"
    role="option"
    tabindex="0"
    data-layer=${layer}
    aria-selected=${layer === layers.chosenLayer()}
    aria-label="${told.name}, ${percent} %${told.muted ? ", muted" : ""}"
    @pointerdown=${(event: PointerEvent) => dragRow(event, layer)}
    @focus=${() => layers.chooseLayer(layer)}
    @dblclick=${(event: Event) => onName(event) && askForName(layer)}
    @contextmenu=${(event: MouseEvent) => menuAt(event, layer)}
  >
    ${eye(told, layer)}<span class="layer-name" title=${told.name}>${told.name}</span>
    <span class="row-aside figures">${rangeWords(told)}</span>
    <button
      class="plain tiny"
      tabindex="-1"
      aria-label="More for ${told.name}"
      title="More"
      @click=${(event: MouseEvent) => menuAt(event, layer)}
    >
      ${icon("more")}
    </button>
    ${slider(told, layer, percent)}
  </div>`;
}

/** Which frames it changes; nothing where that is the whole take. */
function rangeWords({ start, end }: LayerInfo): string {
  const whole = start * rate.value < 0.5 && end * rate.value > lastFrame.value - 0.5;
  return whole ? "" : frameRange(start, end, rate.value);
}

function eye(told: LayerInfo, layer: number): TemplateResult {
  return html`<button
    class="plain tiny eye"
    aria-pressed=${!told.muted}
    aria-label="${told.muted ? "Unmute" : "Mute"} ${told.name}"
    title=${told.muted ? "Unmute" : "Mute"}
    @click=${() => layers.mute(layer, !told.muted)}
  >
    ${icon(told.muted ? "shut" : "eye")}
  </button>`;
}

function slider(told: LayerInfo, layer: number, percent: number): TemplateResult {
  const value = (event: Event) => Number((event.target as HTMLInputElement).value) / 100;
  return html`<input
      type="range"
      class="weight"
      min="0"
      max="100"
      step="1"
      aria-label="Weight of ${told.name}"
      title="How much of it is used"
      style="--share: ${percent}%"
      .value=${live(String(percent))}
      @input=${(event: Event) => layers.slideWeight(layer, value(event))}
      @change=${layers.keepWeight}
      @keydown=${(event: KeyboardEvent) => event.key === "Escape" && layers.forgetWeight()}
      @dblclick=${() => weigh(layer, 1)}
    /><span class="row-aside figures weight-figure">${percent} %</span>`;
}

function weigh(layer: number, weight: number): void {
  layers.slideWeight(layer, weight);
  layers.keepWeight();
}

/** What the layers lie on, and the ways to be rid of them. */
function base(): TemplateResult {
  const told = takeOf(character.value, take.value);
  const what = told?.keyed ? `${told.keys} keys` : "samples";
  return html`<div class="layer-base">
      ${icon("take")}<span class="layer-name">${take.value}</span
      ><span class="row-aside">${what}</span>
    </div>
    <div class="layer-buttons">
      <button title="All layers and the take as few keys" @click=${layers.flatten}>
        Flatten into keys
      </button>
      ${
        told && !told.keyed
          ? html`<button title="All layers into the samples, without loss" @click=${layers.bake}>
              Bake
            </button>`
          : nothing
      }
    </div>`;
}

function onName(event: Event): boolean {
  return (event.target as Element).closest("button, input") === null;
}

function askForName(layer: number): void {
  const told = layers.layersHere()[layer];
  if (told) askName("Rename layer", told.name, (name) => layers.rename(layer, name));
}

export function renameChosen(): void {
  askForName(layers.chosenLayer());
}

function menuAt(event: MouseEvent, layer: number): void {
  event.preventDefault();
  event.stopPropagation();
  layers.chooseLayer(layer);
  const box = (event.currentTarget as Element).getBoundingClientRect();
  const mouse = event.clientX !== 0 || event.clientY !== 0; // a key has no place
  openMenu(layerMenu(layer), mouse ? event.clientX : box.left, mouse ? event.clientY : box.bottom);
}

export function layerMenu(layer: number): MenuItem[] {
  const all = layers.layersHere();
  const told = all[layer];
  return [
    {
      label: told?.muted ? "Unmute" : "Mute",
      hotkey: "M",
      run: () => layers.mute(layer, !told?.muted),
    },
    { label: "Rename…", hotkey: "F2", run: () => askForName(layer) },
    { label: "Duplicate", run: () => layers.copy(layer) },
    {
      label: "Raise",
      hotkey: "Alt+ArrowUp",
      line: true,
      enabled: layer < all.length - 1,
      run: () => layers.moveLayer(layer, layer + 1),
    },
    {
      label: "Lower",
      hotkey: "Alt+ArrowDown",
      enabled: layer > 0,
      run: () => layers.moveLayer(layer, layer - 1),
    },
    { label: "Remove", hotkey: "Delete", line: true, run: () => layers.remove(layer) },
  ];
}

/** Keys of the row that has the focus. */
function onKey(event: KeyboardEvent): void {
  const at = (event.target as HTMLElement).dataset["layer"];
  if (at === undefined) return; // a slider or a button has it
  const layer = Number(at);
  const way = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
  if (way && event.altKey) layers.moveLayer(layer, layer + way);
  else if (way) focusRow(event.currentTarget as Element, layer + way);
  else if (event.key === "Delete" || event.key === "Backspace") layers.remove(layer);
  else if (event.key === "F2") askForName(layer);
  else if (event.key === "m" || event.key === "M")
    layers.mute(layer, !layers.layersHere()[layer]?.muted);
  else return;
  event.preventDefault();
  event.stopPropagation();
  if (way && event.altKey) focusRow(event.currentTarget as Element, layer + way);
}

function focusRow(list: Element, layer: number): void {
  list.querySelector<HTMLElement>(`[data-layer="${layer}"]`)?.focus();
}
