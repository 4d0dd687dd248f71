// The list of layers of the shown take, top first.

import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { documentState, takeOf } from "../state/document";
import * as layers from "../state/layers";
import { character, lastFrame, rate, take } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import type { LayerInfo } from "../wire/messages";
import { icon } from "../controls/icons";
import { dragRow } from "./layerDrag";
import { askForName, layerMenu } from "../controls/layerMenu";
import { openMenu } from "../controls/menu";
import { counted, frameRange, shortName } from "../controls/text";
import "../style/layers.css";

/** Whether the panel of layers is shown. */
export function layersMatter(): boolean {
  return layers.layersHere().length > 0 || activeTool().editsBakedMotion === true;
}

export function layerList(): TemplateResult {
  const all = layers.layersHere();
  if (all.length === 0)
    return html`<p class="quiet">
      None yet. Each spacetime edit adds one, and so does Solve constraints; the source take stays
      as it is.
    </p>`;
  const rows = all.map((info, layer) => row(info, layer)).reverse();
  return html`<div class="layers" role="listbox" aria-label="Layers, top first" @keydown=${onKey}>
      ${rows}
    </div>
    ${base()}`;
}

function row(info: LayerInfo, layer: number): TemplateResult {
  const percent = Math.round(100 * layers.weightOf(layer));
  return html`<div
    class="layer ${info.muted ? "muted" : ""}"
    role="option"
    tabindex="0"
    data-layer=${layer}
    aria-selected=${layer === layers.chosenLayer()}
    aria-label="${info.name}, ${percent} %${info.muted ? ", muted" : ""}"
    @pointerdown=${(event: PointerEvent) => dragRow(event, layer)}
    @focus=${() => layers.chooseLayer(layer)}
    @dblclick=${(event: Event) => onName(event) && askForName(layer)}
    @contextmenu=${(event: MouseEvent) => menuAt(event, layer)}
  >
    ${eye(info, layer)}<span class="layer-name" title=${info.name}>${info.name}</span>
    <span class="row-aside figures">${rangeWords(info)}</span>
    <button
      class="plain tiny"
      tabindex="-1"
      aria-label="More for ${info.name}"
      title="More"
      @click=${(event: MouseEvent) => menuAt(event, layer)}
    >
      ${icon("more")}
    </button>
    ${slider(info, layer, percent)}
  </div>`;
}

/** Which frames it changes; nothing where that is the whole take. */
function rangeWords({ start, end }: LayerInfo): string {
  const whole = start * rate.value < 0.5 && end * rate.value > lastFrame.value - 0.5;
  return whole ? "" : frameRange(start, end, rate.value);
}

function eye(info: LayerInfo, layer: number): TemplateResult {
  return html`<button
    class="plain tiny eye"
    aria-pressed=${!info.muted}
    aria-label="${info.muted ? "Unmute" : "Mute"} ${info.name}"
    title=${info.muted ? "Unmute" : "Mute"}
    @click=${() => layers.mute(layer, !info.muted)}
  >
    ${icon(info.muted ? "shut" : "eye")}
  </button>`;
}

function slider(info: LayerInfo, layer: number, percent: number): TemplateResult {
  const value = (event: Event) => Number((event.target as HTMLInputElement).value) / 100;
  return html`<input
      type="range"
      class="weight"
      min="0"
      max="100"
      step="1"
      aria-label="Weight of ${info.name}"
      title="Layer weight"
      style="--share: ${percent}%"
      .value=${live(String(percent))}
      @input=${(event: Event) => layers.slideWeight(layer, value(event))}
      @change=${layers.commitWeight}
      @keydown=${(event: KeyboardEvent) => event.key === "Escape" && layers.cancelWeight()}
      @dblclick=${() => weigh(layer, 1)}
    /><span class="row-aside figures weight-figure">${percent} %</span>`;
}

function weigh(layer: number, weight: number): void {
  layers.slideWeight(layer, weight);
  layers.commitWeight();
}

/** What the layers lie on, and the ways to be rid of them. */
function base(): TemplateResult {
  const info = takeOf(character.value, take.value);
  const all = documentState.value?.takes[character.value] ?? [];
  const label = shortName(
    take.value,
    all.map((each) => each.name),
  );
  const what = info?.keyed ? counted(info.keys, "key") : "baked";
  return html`<div class="layer-base">
      ${icon("take")}<span class="layer-name" title=${take.value}>${label}</span
      ><span class="row-aside">${what}</span>
    </div>
    <div class="layer-buttons">
      <button title="Fit keyframes to the take with all its layers" @click=${layers.flatten}>
        Flatten to keyframes
      </button>
      ${
        info && !info.keyed
          ? html`<button
              title="Merge all layers into the baked motion, without loss"
              @click=${layers.bake}
            >
              Bake
            </button>`
          : nothing
      }
    </div>`;
}

function onName(event: Event): boolean {
  return (event.target as Element).closest("button, input") === null;
}

function menuAt(event: MouseEvent, layer: number): void {
  event.preventDefault();
  event.stopPropagation();
  layers.chooseLayer(layer);
  const box = (event.currentTarget as Element).getBoundingClientRect();
  const mouse = event.clientX !== 0 || event.clientY !== 0; // a key has no place
  openMenu(layerMenu(layer), mouse ? event.clientX : box.left, mouse ? event.clientY : box.bottom);
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
