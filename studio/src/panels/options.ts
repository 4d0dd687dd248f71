// Options of the active tool, built from the server's description.

import { html, nothing, type TemplateResult } from "lit-html";
import type { DirectiveResult } from "lit-html/directive.js";
import { keyed } from "lit-html/directives/keyed.js";
import { live } from "lit-html/directives/live.js";
import { documentState, sceneInfo, welcome } from "../state/document";
import { run } from "../state/commands";
import { armed, character, options, rate, tool } from "../state/view";
import { isTuned, moveOption, releaseOption } from "../gestures/setting";
import { canEditWhole, editWhole } from "../gestures/wholeEdit";
import { toolOf } from "../tools/shared/registry";
import { fieldOf, clamped, within, type Field } from "../controls/field";
import { numberField } from "../controls/numberField";
import { keyFor } from "../controls/keyFor";
import type { Panel } from "../tools/shared/tool";
import { mayEdit, viewOnly } from "../wire/role";
import { send } from "../wire/socket";
import { rangeRow } from "./range";
import { sentence, shortName } from "../controls/text";

type Value = boolean | number | string | null;

export function toolOptions(): TemplateResult {
  const info = welcome.value?.tools.find((each) => each.name === tool.value);
  if (!info) return html``;
  const values = options.value[info.name] ?? {};
  const unit = sceneInfo.value?.unit ?? "m";
  if (info.options.length === 0) return html`<p class="quiet">${info.help}</p>`;
  const { editRange, panel } = toolOf(info.name);
  const own = info.options.filter((each) => !panel.hidden?.includes(each.name));
  const fields = own.map((each) => within(fieldOf(each, unit, rate.value), panel.limits?.() ?? {}));
  const rows = (some: readonly Field[]) =>
    some.map((field) => row(field, values[field.name] ?? panel.shown?.[field.name]?.() ?? null));
  const groups = grouped(fields, panel.groups).map(
    ({ title, of }) => html`${title ? html`<h3 class="field-group">${title}</h3>` : ""}${rows(of)}`,
  );
  // keyed: a select of another tool has other options, and would lose its value
  return html`${strokeButton(info.name)}${wholeButton(info.name)}${editRange ? rangeRow(editRange) : ""}${keyed(
    info.name,
    html`${groups}`,
  )}`;
}

/** Arms drawing, for a tool that drags, too. */
function strokeButton(name: string): TemplateResult | typeof nothing {
  const { strokeMode, gestures } = toolOf(name);
  if (!strokeMode || !gestures.includes("stroke")) return nothing;
  return html`<button
    class="stroke-mode"
    aria-pressed=${armed.value === "draw"}
    title=${strokeMode.hint}
    ?disabled=${viewOnly.value}
    @click=${() => run("curve.draw")}
  >
    ${strokeMode.label} <kbd>${keyFor("curve.draw")}</kbd>
  </button>`;
}

/** Edits the whole take as the options say. */
function wholeButton(name: string): TemplateResult | typeof nothing {
  const { whole } = toolOf(name);
  if (!whole) return nothing;
  return html`<button
    class="stroke-mode whole"
    title=${whole.hint}
    ?disabled=${viewOnly.value || !canEditWhole()}
    @click=${editWhole}
  >
    ${whole.label}
  </button>`;
}

/** Fields under their headings; those without one come first. */
function grouped(
  fields: readonly Field[],
  groups: Panel["groups"] = [],
): { title: string; of: Field[] }[] {
  const placed = new Set(groups.flatMap((group) => group.options));
  const named = (names: readonly string[]) =>
    names.flatMap((name) => fields.filter((field) => field.name === name));
  const all = [
    { title: "", of: fields.filter((field) => !placed.has(field.name)) },
    ...groups.map(({ title, options: names }) => ({ title, of: named(names) })),
  ];
  return all.filter(({ of }) => of.length > 0);
}

function set(name: string, value: Value): void {
  moveOption(name, value);
  releaseOption();
}

function row(field: Field, value: Value): TemplateResult {
  return html`<div class="field-row" title=${sentenceEnd(field.help)}>
    <span class="field-label">${field.label}</span>${control(field, value)}
  </div>`;
}

function control(field: Field, value: Value): TemplateResult | DirectiveResult {
  if (field.kind === "bool") return check(field.label, value === true, (on) => set(field.name, on));
  if (field.kind === "choice") return choice(field, String(value));
  if (field.kind === "take") return takeChoice(field);
  if (field.kind === "text") return textField(field, String(value ?? ""));
  if (isShare(field)) return slider(field, typeof value === "number" ? value : 0);
  const number = numberField({
    label: field.label,
    value: typeof value === "number" ? clamped(field, value) : null,
    measure: field.measure,
    low: field.low,
    high: field.high,
    ...(field.optional ? { empty: "none" } : {}),
    on: (next) => set(field.name, next),
    ...(isTuned(tool.value, field.name) ? { onMove: (next) => moveOption(field.name, next) } : {}),
  });
  return number;
}

/** A number from 0 to 1 without a unit is how much of something: a slider. */
function isShare(field: Field): boolean {
  return (
    field.kind === "float" &&
    field.low === 0 &&
    field.high === 1 &&
    field.measure.unit === "" &&
    !field.optional
  );
}

function slider(field: Field, value: number): TemplateResult {
  const percent = Math.round(100 * value);
  const start = field.start;
  return html`<span class="share-row"
    ><input
      type="range"
      class="weight"
      min="0"
      max="100"
      step="1"
      aria-label=${field.label}
      style="--share: ${percent}%"
      .value=${live(String(percent))}
      @input=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        if (!moveOption(field.name, Number(input.value) / 100)) input.value = String(percent);
      }}
      @change=${releaseOption}
      @pointerup=${releaseOption}
      @dblclick=${() => set(field.name, start)}
    /><span class="figures">${(percent / 100).toFixed(2)}</span></span
  >`;
}

function textField(field: Field, value: string): TemplateResult {
  return html`<input
    type="text"
    class="text-option"
    spellcheck="false"
    aria-label=${field.label}
    placeholder="auto"
    .value=${live(value)}
    @change=${(event: Event) => set(field.name, (event.target as HTMLInputElement).value)}
  />`;
}

function choice(field: Field, value: string): TemplateResult {
  const labels = toolOf(tool.value).panel.choices?.[field.name] ?? {};
  return html`<select
    aria-label=${field.label}
    .value=${live(value)}
    @change=${(event: Event) => set(field.name, (event.target as HTMLSelectElement).value)}
  >
    ${field.choices.map(
      (each) =>
        html`<option value=${each} ?selected=${each === value}>
          ${labels[each] ?? sentence(each)}
        </option>`,
    )}
  </select>`;
}

function setRole(role: string, chosen: string): void {
  const change = { change: "SetRole", character: character.peek(), take: chosen, role } as const;
  if (mayEdit()) send({ type: "ApplyChange", change });
}

/** The take of the character that has a role, kept with the scene; without one the tool finds it. */
function takeChoice(field: Field): DirectiveResult {
  const value = documentState.value?.roles[character.value]?.[field.name] ?? "";
  const known = (documentState.value?.takes[character.value] ?? []).map((each) => each.name);
  const names = value && !known.includes(value) ? [value, ...known] : known;
  const found = documentState.value?.found_takes[tool.value]?.[character.value]?.[field.name];
  const automatic = found ? `${shortName(found, known)} (auto)` : "none (auto)"; // cut at its end
  const chooser = html`<select
    class="take-choice"
    aria-label=${field.label}
    title=${value || (found ? `Automatic: ${found}` : "Automatic: no take has this in its name")}
    ?disabled=${viewOnly.value}
    .value=${live(value)}
    @change=${(event: Event) => setRole(field.name, (event.target as HTMLSelectElement).value)}
  >
    <option value="" ?selected=${value === ""}>${automatic}</option>
    ${names.map(
      (each) =>
        html`<option value=${each} ?selected=${each === value}>${shortName(each, names)}</option>`,
    )}
  </select>`;
  return keyed(names.join("\n"), chooser);
}

export function check(label: string, on: boolean, change: (on: boolean) => void): TemplateResult {
  return html`<input
    type="checkbox"
    class="tick"
    aria-label=${label}
    .checked=${live(on)}
    @change=${(event: Event) => change((event.target as HTMLInputElement).checked)}
  />`;
}

function sentenceEnd(help: string): string {
  return help.charAt(0).toUpperCase() + help.slice(1);
}
