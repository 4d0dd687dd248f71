// Limits and stiffness of the selected joint's channels, in degrees and the scene's unit.

import { html, nothing, type TemplateResult } from "lit-html";
import { cast, rigOf } from "../state/document";
import { character, points, take } from "../state/view";
import type { ChannelInfo, RigInfo } from "../wire/messages";
import { say } from "../wire/socket";
import { channelMeasure, measureOf } from "./field";
import { numberField } from "./numberfield";
import { sentence } from "./words";

interface Channel {
  index: number;
  told: ChannelInfo;
}

/** The channels of the joint that acts. */
export function channelsHere(): { rig: RigInfo; own: Channel[] } | null {
  const point = points.value[points.value.length - 1];
  const rig = rigOf(point?.character || character.value);
  if (!point || !rig) return null;
  const joint = rig.joints.indexOf(point.joint);
  const own = rig.channels
    .map((told, index) => ({ told, index }))
    .filter((each) => each.told.joint === joint);
  return { rig, own };
}

export function limits(): TemplateResult {
  const here = channelsHere();
  if (!here) return html``;
  const limited = here.own.filter((each) =>
    /^(rotate|translate|scale|custom)/.test(each.told.kind),
  );
  return html`<div class="limits">
      ${
        limited.length > 0
          ? html`<span></span><span class="column">Low</span><span class="column">High</span>`
          : nothing
      }
      ${limited.map((each) => limitRow(here.rig, each))}
    </div>
    ${limited.length === 0 ? html`<p class="quiet">Turned by quaternions: no limits by axis.</p>` : nothing}`;
}

function limitRow(rig: RigInfo, { told, index }: Channel): TemplateResult {
  const measure = channelMeasure(told.kind, cast.value?.unit ?? "m");
  const label = told.kind.startsWith("custom") ? told.label : sentence(told.kind);
  const set = (low: number | null, high: number | null) =>
    say({
      type: "ApplyChange",
      change: { change: "SetLimits", ...at(rig), channel: index, low, high },
    });
  const field = (side: "low" | "high") =>
    numberField({
      label: `${label}, ${side} limit`,
      value: told[side],
      measure,
      ...(side === "low"
        ? { high: told.high === null ? null : told.high * measure.scale }
        : { low: told.low === null ? null : told.low * measure.scale }),
      empty: "none",
      on: (value) => (side === "low" ? set(value, told.high) : set(told.low, value)),
    });
  return html`<span class="field-label">${label}</span>${field("low")}${field("high")}`;
}

/** One number for the joint where its channels agree; else one for each. */
export function stiffness(): TemplateResult {
  const here = channelsHere();
  if (!here) return html``;
  const values = new Set(here.own.map((each) => each.told.stiffness));
  const together = values.size === 1 ? [here.own] : here.own.map((each) => [each]);
  return html`${together.map((some) => stiffnessRow(here.rig, some, values.size === 1))}
    <p class="quiet">1 is ordinary; a stiffer joint is moved less by drags.</p>`;
}

function stiffnessRow(rig: RigInfo, some: Channel[], all: boolean): TemplateResult {
  const label = all ? "All channels" : sentence(some[0]?.told.kind ?? "");
  return html`<div class="field-row">
    <span class="field-label">${label}</span>
    ${numberField({
      label: `Stiffness, ${label}`,
      value: some[0]?.told.stiffness ?? 1,
      measure: measureOf("×", "m"),
      low: 0.01,
      high: 1000,
      on: (value) =>
        value !== null &&
        say({
          type: "ApplyChange",
          change: {
            change: "SetStiffness",
            ...at(rig),
            channels: some.map((each) => each.index),
            stiffness: value,
          },
        }),
    })}
  </div>`;
}

function at(rig: RigInfo): { character: string; take: string } {
  return { character: rig.name, take: take.peek() };
}
