// The channel list of the graph editor: colour, name, visibility.

import { html, type TemplateResult } from "lit-html";
import { draw } from "../controls/draw";
import { axisColour, colours } from "./colours";
import { chooseAll } from "./keySelection";
import { channelName, groupOf, partOf } from "./rows";
import {
  channelFilter,
  hiddenChannels,
  hover,
  listedChannels,
  normalised,
  rig,
  seenChannels,
} from "./sheetState";

export function buildChannelList(place: HTMLElement): void {
  draw(
    place,
    () =>
      html`<div class="list-head">
          <input
            type="search"
            placeholder="Filter channels"
            aria-label="Filter channels"
            .value=${channelFilter.value}
            @input=${(event: Event) => (channelFilter.value = (event.target as HTMLInputElement).value)}
          />
          <button
            class="plain toggle"
            aria-pressed=${normalised.value}
            title="Normalize curves to −1…1"
            @click=${() => (normalised.value = !normalised.peek())}
          >
            ±1
          </button>
        </div>
        <div class="channel-rows">${byJoint()}</div>`,
  );
}

function byJoint(): TemplateResult[] {
  const own = rig.value;
  if (!own) return [];
  const wanted = channelFilter.value.toLowerCase();
  const found = seenChannels.value.filter((each) =>
    channelName(own, each).toLowerCase().includes(wanted),
  );
  const rows: TemplateResult[] = [];
  let joint = -1;
  for (const channel of found) {
    const info = own.channels[channel];
    if (!info) continue;
    if (info.joint !== joint)
      rows.push(html`<div class="joint-name">${own.joints[info.joint]}</div>`);
    joint = info.joint;
    rows.push(row(channel, `${groupOf(info.kind)} ${partOf(own, channel)}`, partOf(own, channel)));
  }
  return rows;
}

function row(channel: number, label: string, part: string): TemplateResult {
  const seen = !hiddenChannels.value.has(channel);
  return html`<label
    class="channel"
    ?data-lit=${hover.value?.channel === channel}
    data-channel=${channel}
  >
    <input
      type="checkbox"
      class="tick"
      .checked=${seen}
      title="Show or hide; Alt-click shows only this one"
      style="accent-color:${axisColour(colours.value, part)}"
      @click=${(event: MouseEvent) => show(channel, event)}
    />
    <i style="background:${axisColour(colours.value, part)}"></i>
    <span @click=${(event: Event) => name(channel, event)}>${label}</span>
  </label>`;
}

function show(channel: number, event: MouseEvent): void {
  const hidden = new Set(hiddenChannels.peek());
  if (event.altKey) {
    const alone = listedChannels.peek().every((each) => each === channel || hidden.has(each));
    for (const each of listedChannels.peek())
      alone || each === channel ? hidden.delete(each) : hidden.add(each);
  } else if (!hidden.delete(channel)) hidden.add(channel);
  hiddenChannels.value = hidden;
}

/** A name chooses the keys of its curve. */
function name(channel: number, event: Event): void {
  event.preventDefault();
  chooseAll([channel]);
}
