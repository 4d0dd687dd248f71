// Limits and stiffness of the selected joint's channels, in degrees and the scene's unit.

import { html, nothing, type TemplateResult } from "lit-html";
import { sceneInfo, rigOf } from "../state/document";
import { character, points, take } from "../state/view";
import type { ChannelInfo, RigInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { channelMeasure, measureOf } from "../controls/field";
import { numberField } from "../controls/numberField";
import { sentence } from "../controls/text";

interface Channel {
  index: number;
  info: ChannelInfo;
}

/** The channels of the joint that acts. */
export function channelsHere(): { rig: RigInfo; own: Channel[] } | null {
  const point = points.value[points.value.length - 1];
  const rig = rigOf(point?.character || character.value);
  if (!point || !rig) return null;
  const joint = rig.joints.indexOf(point.joint);
  const own = rig.channels
    .map((info, index) => ({ info, index }))
    .filter((each) => each.info.joint === joint);
  return { rig, own };
}

/** Whether the joint has a limit on any axis. */
export function hasLimits(): boolean {
  const own = channelsHere()?.own ?? [];
  return own.some(({ info }) => info.low !== null || info.high !== null);
}

/** Whether it is stiffer or softer than others. */
export function hasStiffness(): boolean {
  return (channelsHere()?.own ?? []).some(({ info }) => info.stiffness !== 1);
}

export function limits(): TemplateResult {
  const here = channelsHere();
  if (!here) return html``;
  const limited = here.own.filter((each) =>
    /^(rotate|translate|scale|custom)/.test(each.info.kind),
  );
  return html`<div class="limits">
      ${
        limited.length > 0
          ? html`<span></span><span class="column">Low</span><span class="column">High</span>`
          : nothing
      }
      ${limited.map((each) => limitRow(here.rig, each))}
    </div>
    ${limited.length === 0 ? html`<p class="quiet">Quaternion joint: no per-axis limits.</p>` : nothing}`;
}

function limitRow(rig: RigInfo, { info, index }: Channel): TemplateResult {
  const measure = channelMeasure(info.kind, sceneInfo.value?.unit ?? "m");
  const label = info.kind.startsWith("custom") ? info.label : sentence(info.kind);
  const set = (low: number | null, high: number | null) =>
    send({
      type: "ApplyChange",
      change: { change: "SetLimits", ...at(rig), channel: index, low, high },
    });
  const field = (side: "low" | "high") =>
    numberField({
      label: `${label}, ${side} limit`,
      value: info[side],
      measure,
      ...(side === "low"
        ? { high: info.high === null ? null : info.high * measure.scale }
        : { low: info.low === null ? null : info.low * measure.scale }),
      empty: "none",
      on: (value) => (side === "low" ? set(value, info.high) : set(info.low, value)),
    });
  return html`<span class="field-label">${label}</span>${field("low")}${field("high")}`;
}

/** One number for the joint where its channels agree; else one for each. */
export function stiffness(): TemplateResult {
  const here = channelsHere();
  if (!here) return html``;
  const values = new Set(here.own.map((each) => each.info.stiffness));
  const together = values.size === 1 ? [here.own] : here.own.map((each) => [each]);
  return html`${together.map((some) => stiffnessRow(here.rig, some, values.size === 1))}
    <p class="quiet">1 is the default; drags move a stiffer joint less.</p>`;
}

function stiffnessRow(rig: RigInfo, some: Channel[], all: boolean): TemplateResult {
  const label = all ? "All channels" : sentence(some[0]?.info.kind ?? "");
  return html`<div class="field-row">
    <span class="field-label">${label}</span>
    ${numberField({
      label: `Stiffness, ${label}`,
      value: some[0]?.info.stiffness ?? 1,
      measure: measureOf("×", "m"),
      low: 0.01,
      high: 1000,
      on: (value) =>
        value !== null &&
        send({
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
