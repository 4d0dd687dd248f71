// The page of a phone: a stick for puppets, or a touch pad for motion cycles, on a shared document.

import { computed, effect } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { draw, placeIn } from "../controls/draw";
import { deviceOfPage, phoneDevice, startDevices } from "../devices/registry";
import { addViewportCommands } from "../gestures/commands";
import { addRecordCommands } from "../gestures/recordCommands";
import { stickPhase } from "../gestures/stickPerformance";
import { sceneInfo, welcome } from "../state/document";
import { takeShown } from "../state/shownTakes";
import { character, take, tool } from "../state/view";
import { activeTool, startTools, toolOf } from "../tools/shared/registry";
import { buildStage, type Stage } from "../viewport/stage";
import { isPosted, line } from "../wire/socket";
import { addPanelCommands } from "./commands";
import { buildOverlay } from "./overlay";
import { buildPerformPad, itemList } from "./performPad";
import { buildStickPad } from "./stickPad";
import { toggleStickSettings } from "./stickSettings";
import { startTheme } from "./theme";
import "../style/controls.css";
import "../style/fields.css";
import "../style/perform.css";
import "../style/stick.css";

const NARROW = "(max-width: 600px)";
const SCALE = "width=device-width, initial-scale=1, maximum-scale=1, viewport-fit=cover";

/** Whether this window is a phone's: by its address, or as it is narrow. */
export function isPhonePage(): boolean {
  const asked = new URLSearchParams(location.search);
  const named = location.pathname.endsWith("/phone") || asked.has("perform");
  return named || (matchMedia(NARROW).matches && !asked.has("studio"));
}

/** "stick": the phone is a puppet's stick; "pad": its screen is a touch pad. */
const mode = computed(() => (activeTool().performsBody ? "stick" : "pad"));

export function buildPhonePage(root: HTMLElement): Stage | null {
  root.classList.add("perform");
  document.querySelector("meta[name=viewport]")?.setAttribute("content", SCALE);
  document.addEventListener("gesturestart", (event) => event.preventDefault()); // a pinch on iOS
  startTheme();
  startTools();
  startDevices();
  deviceOfPage.value = phoneDevice;
  draw(placeIn(root, "perform-head", "header"), head);
  const view = placeIn(root, "stage perform-view", "main");
  const stage = buildStage(view);
  if (stage) {
    addViewportCommands(stage);
    addRecordCommands(stage);
  }
  addPanelCommands();
  buildOverlay(view);
  buildPerformPad(root);
  if (stage) buildStickPad(root, view, stage, () => mode.value === "stick");
  effect(() => {
    root.dataset["mode"] = mode.value;
    if (stage) stage.opening.plays = mode.value === "pad"; // a puppet waits to be grabbed
  });
  effect(() => {
    const able = performing();
    if (able.length && !able.includes(tool.value)) tool.value = preferred(able);
    for (const each of able) stage?.opening.dragged(each); // hints are about the studio's mouse
  });
  return stage;
}

/** Tools that can be performed, by name. */
function performing(): string[] {
  const all = welcome.value?.tools ?? [];
  return all.filter((each) => each.gestures.includes("performance")).map((each) => each.name);
}

/** A link to the pad opens the pad; all others the stick. */
function preferred(able: readonly string[]): string {
  const wantsPad = new URLSearchParams(location.search).has("perform");
  return able.find((each) => Boolean(toolOf(each).performsBody) !== wantsPad) ?? able[0]!;
}

function head(): TemplateResult {
  return html`<div class="switch perform-mode" role="radiogroup" aria-label="Tool">
      ${performing().map(
        (each) =>
          html`<button
            role="radio"
            aria-checked=${tool.value === each}
            ?disabled=${stickPhase.value !== null}
            @click=${() => (tool.value = each)}
          >
            ${toolOf(each).label}
          </button>`,
      )}
    </div>
    ${mode.value === "stick" ? characterList() : itemList()}${connection()}${
      mode.value === "stick"
        ? html`<button class="perform-more" aria-label="Settings" @click=${toggleStickSettings}>
            Settings
          </button>`
        : html`<a class="perform-studio" href="./?studio=1">Studio</a>`
    }`;
}

/** Which character is looked at; the one that is aimed at is grabbed. */
function characterList(): TemplateResult {
  const names = (sceneInfo.value?.rigs ?? []).filter((each) => !each.prop).map(({ name }) => name);
  if (names.length < 2) return html`<span></span>`;
  const choose = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    take.value = takeShown(value);
    character.value = value;
  };
  return html`<select
    aria-label="Character"
    ?disabled=${stickPhase.value !== null}
    @change=${choose}
  >
    ${names.map((each) => html`<option ?selected=${each === character.value}>${each}</option>`)}
  </select>`;
}

const STATES = {
  open: "Connected",
  connecting: "Connecting…",
  lost: "Reconnecting…",
  refused: "Server restarted",
  blocked: "Connection blocked",
} as const;

function connection(): TemplateResult {
  const isSlower = isPosted.value && line.value === "open";
  return html`<span
    class="perform-line"
    role="status"
    data-line=${isSlower ? "slower" : line.value}
    title=${isSlower ? "Connected by single requests, with more delay" : nothing}
    >${isSlower ? "Slower" : STATES[line.value]}</span
  >`;
}
