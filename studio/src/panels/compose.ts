// The composition in the side panel: its shot, its layers, and the curves that follow.

import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import {
  chooseLayer,
  chosenLayer,
  composition,
  followers,
  curveNames,
  guides,
  keyTimes,
  lifted,
  shownKey,
  throughShot,
  wipe,
  type Guides,
} from "../state/composition";
import { changeComposition, releaseLayer, setLayer, slideLayer } from "../state/compositionChanges";
import { frame, options, rate, tool } from "../state/view";
import { icon, type IconName } from "../controls/icons";
import { section } from "../controls/section";
import { activeTraits } from "../state/toolTraits";
import type { FlowKeyInfo, FlowLayerInfo } from "../wire/messages";
import { viewOnly } from "../wire/role";
import { check } from "./options";
import "../style/layers.css";

const GUIDES: readonly (readonly [Guides, string])[] = [
  ["none", "None"],
  ["thirds", "Thirds"],
  ["golden", "Golden section"],
];

/** While a tool is active that composes a picture. */
export function compositionPart(): TemplateResult | typeof nothing {
  if (!activeTraits().composes) return nothing;
  const now = composition.value;
  return section({
    title: "Composition",
    aside: html`<span class="count">${now?.layers.length || ""}</span>`,
    body: () => (now ? parts(now) : begin()),
  });
}

function begin(): TemplateResult {
  return html`<p class="quiet">
    Find the view, then draw a line across the picture: lines of objects that run along it follow
    it. The view is kept as the shot.
  </p>`;
}

function parts(now: FlowKeyInfo): TemplateResult {
  const all = now.layers.map((layer, index) => row(layer, index, now.layers.length)).reverse();
  return html`${checkRow("Look through the shot", throughShot.value, (on) => (throughShot.value = on))}
    ${guideChoice()}${wipeSlider()}
    ${now.layers.length ? checkRow("Lift into space", lifted.value, (on) => changeComposition({ lift: on })) : nothing}
    ${keyRow(now)}
    <div class="layers" role="listbox" aria-label="Layers of the composition, top first">
      ${all}
    </div>
    ${curveList()}${curvesByHand(now)}`;
}

/** Keys of an animated shot: go to one, add one at the shown frame, remove the nearest. */
function keyRow(now: FlowKeyInfo): TemplateResult | typeof nothing {
  if (!now.layers.length) return nothing;
  const at = frame.value / rate.value;
  const times = keyTimes.value;
  const here = times.some((time) => Math.abs(time - at) < 1e-4);
  return html`<div class="field-row flow-keys">
    <span class="field-label">Keys</span>
    ${times.map((time, index) => {
      const number = Math.round(time * rate.value);
      return html`<button
        class="plain tiny"
        aria-pressed=${index === shownKey.value}
        aria-label="Go to the key at frame ${number}"
        @click=${() => (frame.value = time * rate.value)}
      >
        ${number}
      </button>`;
    })}
    ${button("add", "Add a key at this frame", () => changeComposition({ add_key: true }), here)}
    ${button("close", "Remove the nearest key", () => changeComposition({ remove_key: true }), times.length < 2)}
  </div>`;
}

/** All curves: edited by control points, locked, hidden, or as found again. */
function curvesByHand(now: FlowKeyInfo): TemplateResult | typeof nothing {
  const names = curveNames.value;
  if (!names.length) return nothing;
  const edited = String(options.value[tool.value]?.["curve"] ?? "");
  return html`<details class="flow-curves">
    <summary>Curves</summary>
    ${names.map((name) => {
      const own = now.curves.find((each) => each.name === name);
      return html`<div class="field-row" data-curve=${name}>
        <span class="field-label" title=${name}>${name}</span>
        ${button("path", `Edit ${name}`, () => editCurve(edited === name ? "" : name))}
        ${button("lock", own?.locked ? `Release ${name}` : `Lock ${name}`, () =>
          changeComposition(own?.locked ? { release: name } : { lock: name }),
        )}
        ${button(own?.hidden ? "shut" : "eye", own?.hidden ? `Show ${name}` : `Hide ${name}`, () =>
          changeComposition(own?.hidden ? { release: name } : { hide: name }),
        )}
      </div>`;
    })}
  </details>`;
}

/** Its control points are the handles until another curve or none is chosen. */
function editCurve(name: string): void {
  const own = tool.peek();
  options.value = { ...options.peek(), [own]: { ...options.peek()[own], curve: name } };
}

function guideChoice(): TemplateResult {
  return html`<div class="field-row">
    <span class="field-label">Guides</span
    ><select
      aria-label="Guides"
      .value=${live(guides.value)}
      @change=${(event: Event) => (guides.value = (event.target as HTMLSelectElement).value as Guides)}
    >
      ${GUIDES.map(
        ([name, label]) =>
          html`<option value=${name} ?selected=${name === guides.value}>${label}</option>`,
      )}
    </select>
  </div>`;
}

/** Before, on the left, beside after. */
function wipeSlider(): TemplateResult {
  const at = wipe.value;
  return html`${checkRow("Compare with before", at !== null, (on) => (wipe.value = on ? 0.5 : null))}
  ${
    at === null
      ? nothing
      : html`<input
          type="range"
          min="0"
          max="100"
          aria-label="Share of the picture that shows it before"
          style="--share: ${Math.round(100 * at)}%"
          .value=${live(String(Math.round(100 * at)))}
          @input=${(event: Event) => (wipe.value = shareOf(event))}
        />`
  }`;
}

function shareOf(event: Event): number {
  return Number((event.target as HTMLInputElement).value) / 100;
}

function row(layer: FlowLayerInfo, index: number, count: number): TemplateResult {
  const percent = Math.round(100 * layer.strength);
  return html`<div
    class="layer ${layer.muted ? "muted" : ""}"
    role="option"
    tabindex="0"
    data-layer=${index}
    aria-selected=${index === chosenLayer.value}
    aria-label="${layer.name}, ${percent} %${layer.muted ? ", muted" : ""}"
    @focus=${() => chooseLayer(index)}
    @keydown=${(event: KeyboardEvent) => onKey(event, layer, index)}
  >
    ${button(layer.muted ? "shut" : "eye", `${layer.muted ? "Unmute" : "Mute"} ${layer.name}`, () =>
      setLayer(index, { muted: !layer.muted }),
    )}<span class="layer-name" title=${layer.name}>${layer.name}</span>
    <span class="row-aside">
      ${button("up", `Move ${layer.name} up`, () => setLayer(index, { place: index + 2 }), index === count - 1)}
      ${button("down", `Move ${layer.name} down`, () => setLayer(index, { place: index }), index === 0)}
      ${button("close", `Remove ${layer.name}`, () => setLayer(index, { remove: true }))}
    </span>
    <input
      type="range"
      class="weight"
      min="0"
      max="100"
      aria-label="Strength of ${layer.name}"
      title="Strength"
      style="--share: ${percent}%"
      .value=${live(String(percent))}
      ?disabled=${viewOnly.value}
      @input=${(event: Event) => slideLayer(index, { strength: shareOf(event) })}
      @change=${releaseLayer}
    /><span class="row-aside figures weight-figure">${percent} %</span>
  </div>`;
}

function button(sign: IconName, label: string, act: () => void, off = false): TemplateResult {
  return html`<button
    class="plain tiny"
    tabindex="-1"
    aria-label=${label}
    title=${label}
    ?disabled=${off || viewOnly.value}
    @click=${act}
  >
    ${icon(sign)}
  </button>`;
}

function onKey(event: KeyboardEvent, layer: FlowLayerInfo, index: number): void {
  if (event.target !== event.currentTarget) return; // a slider or a button has it
  if (event.key === "Delete" || event.key === "Backspace") setLayer(index, { remove: true });
  else if (event.key === "m" || event.key === "M") setLayer(index, { muted: !layer.muted });
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Curves that follow the chosen stroke, and those that are excluded. */
function curveList(): TemplateResult | typeof nothing {
  const index = chosenLayer.value;
  const layer = composition.value?.layers[index];
  if (layer?.kind !== "stroke") return nothing;
  const all = followers.value;
  const set = (name: string, follows: boolean) => {
    const others = layer.excluded.filter((each) => each !== name);
    setLayer(index, { exclude: (follows ? others : [...others, name]).join(", ") });
  };
  return html`<h3 class="field-group">Follows</h3>
    ${all.length ? nothing : html`<p class="quiet">No curve is near enough: widen its range.</p>`}
    ${all.map(({ name, follows }) => checkRow(name, follows, (on) => set(name, on)))}`;
}

function checkRow(label: string, on: boolean, change: (on: boolean) => void): TemplateResult {
  return html`<label class="field-row"
    ><span class="field-label">${label}</span>${check(label, on, change)}</label
  >`;
}
