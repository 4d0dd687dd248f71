// The transport row: playback, frame, speed, range, switches.

import { effect } from "@preact/signals-core";
import { html, type TemplateResult } from "lit-html";
import { shownKey } from "../controls/hotkey";
import { draw, placeIn } from "../controls/draw";
import { numberField } from "../controls/numberField";
import { commands, hotkeyOf, run } from "../state/commands";
import { actedPose } from "../state/document";
import {
  autoKey,
  character,
  chooseFollow,
  followCharacter,
  frame,
  ghosts,
  lastFrame,
  loopMode,
  pace,
  playing,
  playRange,
  sheet,
  snap,
  speedColours,
} from "../state/view";
import { setRange } from "./dragging";
import { icon, type IconName } from "./icons";
import { buildRecordButton } from "./recordButton";
import { takeInfo } from "./sheetState";
import { askRate, setLength } from "./timing";
import { toggleGhosts } from "./timeCommands";
import { frameText } from "./frameText";

const WHOLE = { unit: "", scale: 1, digits: 0, step: 1 };
const LOOPS = { loop: "Loop", once: "Once", pingpong: "Ping-pong" };

export function buildTransport(place: HTMLElement): void {
  draw(placeIn(place, "part"), buttons);
  buildRecordButton(place);
  buildFrameField(placeIn(place, "part where"));
  draw(placeIn(place, "part"), speed);
  draw(placeIn(place, "part ranged"), rangeFields);
  draw(placeIn(place, "part sheets"), sheets);
  draw(placeIn(place, "part marks"), toggles);
}

function buttons(): TemplateResult {
  return html`${button("time.first", "first")} ${button("time.previous_key", "previousKey")}
    ${button("time.previous", "previousFrame")}
    <button
      class="plain play"
      title=${hint("time.play")}
      aria-label=${playing.value ? "Pause" : "Play"}
      @click=${() => run("time.play")}
    >
      ${icon(playing.value ? "pause" : "play")}
    </button>
    ${button("time.next", "nextFrame")} ${button("time.next_key", "nextKey")}
    ${button("time.last", "last")}
    <button
      class="plain"
      title="Loop mode: ${LOOPS[loopMode.value].toLowerCase()}"
      aria-label="Loop mode"
      @click=${() => run("time.loop")}
    >
      ${icon(loopMode.value)}
    </button>`;
}

function button(id: string, name: IconName): TemplateResult {
  const label = commands().find((each) => each.id === id)?.label ?? id;
  return html`<button class="plain" title=${hint(id)} aria-label=${label} @click=${() => run(id)}>
    ${icon(name)}
  </button>`;
}

function hint(id: string): string {
  const found = commands().find((each) => each.id === id);
  const key = found && hotkeyOf(found)?.split(" ")[0];
  return found ? `${found.label}${key ? ` (${shownKey(key)})` : ""}` : "";
}

/** Drawn apart: it changes with every frame that is played. */
function buildFrameField(place: HTMLElement): void {
  const label = placeIn(place, "quiet", "label");
  label.textContent = "Frame";
  const input = document.createElement("input");
  input.className = "frame-now";
  input.inputMode = "decimal";
  input.ariaLabel = "Current frame";
  place.append(input);
  const slash = placeIn(place, "quiet", "span");
  slash.textContent = "/";
  draw(placeIn(place, "frame-last"), () =>
    numberField({
      label: "Length in frames",
      value: lastFrame.value,
      measure: WHOLE,
      low: 1,
      disabled: !takeInfo.value?.keyed,
      on: (last) => last !== null && setLength(last),
    }),
  );
  effect(() => {
    const runs = playing.value || actedPose(character.value) !== undefined;
    const text = runs ? String(Math.floor(frame.value)) : frameText(frame.value);
    if (document.activeElement !== input) input.value = text;
  });
  const go = (to: number) => {
    if (Number.isFinite(to)) frame.value = Math.min(Math.max(to, 0), lastFrame.peek());
    input.value = frameText(frame.peek());
  };
  input.addEventListener("focus", () => input.select());
  input.addEventListener("change", () => go(Number(input.value)));
  input.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (by) go(Math.round(frame.peek()) + by);
    else if (event.key === "Enter" || event.key === "Escape") input.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function speed(): TemplateResult {
  const rate = takeInfo.value?.rate ?? 24;
  return html`${numberField({
      label: "Frames per second",
      value: rate,
      measure: { unit: "fps", scale: 1, digits: Number.isInteger(rate) ? 0 : 2, step: 1 },
      low: 1,
      high: 240,
      disabled: !takeInfo.value,
      on: (wanted) => {
        if (wanted !== null && wanted !== rate) askRate(wanted);
        return false;
      },
    })}
    <select
      class="pace"
      aria-label="Playback speed"
      title="Playback speed"
      @change=${(event: Event) => (pace.value = Number((event.target as HTMLSelectElement).value))}
    >
      ${[0.25, 0.5, 1, 2].map(
        (each) => html`<option value=${each} ?selected=${pace.value === each}>${each}×</option>`,
      )}
    </select>`;
}

function rangeFields(): TemplateResult {
  const [first, last] = playRange.value;
  return html`<label class="quiet" title="Playback range">Range</label>
    ${numberField({
      label: "Range start",
      value: first,
      measure: WHOLE,
      low: 0,
      high: last - 1,
      on: (value) => value !== null && setRange(value, last),
    })}
    <span class="quiet">–</span>
    ${numberField({
      label: "Range end",
      value: last,
      measure: WHOLE,
      low: first + 1,
      high: lastFrame.value,
      on: (value) => value !== null && setRange(first, value),
    })}`;
}

function sheets(): TemplateResult {
  const one = (name: "dope" | "graph", label: string) =>
    html`<button
      role="radio"
      data-sheet=${name}
      aria-checked=${sheet.value === name}
      @click=${() => (sheet.value = name)}
    >
      ${label}
    </button>`;
  return html`<div class="switch" role="radiogroup" aria-label="Sheet">
    ${one("dope", "Dope sheet")} ${one("graph", "Graph editor")}
  </div>`;
}

function toggles(): TemplateResult {
  const one = (label: string, title: string, name: IconName, on: boolean, flip: () => void) =>
    html`<button class="plain toggle" aria-pressed=${on} title=${title} @click=${flip}>
      ${icon(name)}<span>${label}</span>
    </button>`;
  return html`${one(
    "Auto key",
    "Auto key: a pose is keyed as soon as it is released. Off: I keys it, another frame loses it",
    "autoKey",
    autoKey.value,
    () => run("pose.auto_key"),
  )}
  ${one(
    "Snap",
    "Snap to frames (Ctrl while dragging inverts it)",
    "snap",
    snap.value,
    () => (snap.value = !snap.peek()),
  )}
  ${one(
    "Follow",
    "The camera follows the character; panning stops it",
    "follow",
    followCharacter.value === true,
    () => chooseFollow(!followCharacter.peek()),
  )}
  ${one("Onion skin", "Onion skin: ghosts before and after", "ghosts", ghosts.value.on, toggleGhosts)}
  ${one(
    "Speed",
    "Motion curves coloured by speed",
    "speed",
    speedColours.value,
    () => (speedColours.value = !speedColours.peek()),
  )}`;
}
