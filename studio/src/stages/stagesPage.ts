// The page of the application "from reality to virtuality": stages from the camera picture to a virtual world.

import { effect, signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { draw, placeIn } from "../controls/draw";
import { deviceOfPage, phoneStick, startDevices } from "../devices/registry";
import { headsetMode } from "../devices/xr";
import { addViewportCommands } from "../gestures/commands";
import { stickPhase } from "../gestures/stickPerformance";
import { buildOverlay } from "../panels/overlay";
import { startSensors } from "../panels/stickPad";
import { startTheme } from "../panels/theme";
import { welcome } from "../state/document";
import { tool } from "../state/view";
import { startTools, toolOf } from "../tools/shared/registry";
import { buildStage, type Stage } from "../viewport/stage";
import { avatarPanel, isAvatarMade } from "./avatarPanel";
import { Background, source } from "./background";
import { bodySize, cameraPitch, progress, restart, shown, sight, silent } from "./game";
import { horizonOf } from "./ground";
import { enterHeadset } from "./headsetView";
import { buildLeading, recentre } from "./leading";
import { said } from "./narrator";
import { mixedPanel, placePanel, startPlacing } from "./placing";
import { Scenery } from "./scenery";
import { STAGES, enter, isOpen, nextOf, unlock, type StageName } from "./stages";
import "../style/controls.css";
import "../style/fields.css";
import "../style/stick.css";
import "../style/stages.css";

const SCALE = "width=device-width, initial-scale=1, maximum-scale=1, viewport-fit=cover";
const SHADOWS = 2.4; // body heights around the puppet
const NAMES: Record<StageName, string> = {
  place: "Place",
  avatar: "Avatar",
  augmented: "Augmented",
  mixed: "Mixed",
  virtual: "Virtual",
};
const begun = signal(false); // sensors and camera need a tap after every load

export function isStagesPage(): boolean {
  return location.pathname.endsWith("/stages");
}

export function buildStagesPage(root: HTMLElement): Stage | null {
  root.classList.add("stages");
  document.querySelector("meta[name=viewport]")?.setAttribute("content", SCALE);
  document.addEventListener("gesturestart", (event) => event.preventDefault()); // a pinch on iOS
  startTheme();
  startTools();
  startDevices();
  deviceOfPage.value = phoneStick;
  const background = new Background(placeIn(root, "stages-back"));
  const view = placeIn(root, "stage stages-view", "main");
  const stage = buildStage(view, true);
  buildOverlay(view);
  if (!stage) return null;
  stage.compositeOver();
  stage.shadowReach = SHADOWS;
  stage.opening.plays = false;
  addViewportCommands(stage);
  choosePuppetTool(stage);
  draw(placeIn(root, "stages-head", "header"), head);
  const foot = placeIn(root, "stages-foot", "footer");
  draw(placeIn(foot, "stages-panel"), () => panel(stage, background));
  buildLeading(foot, stage);
  startPlacing(stage);
  const scenery = new Scenery(stage);
  buildMarks(view, stage, scenery);
  effect(() => {
    root.dataset["stage"] = begun.value ? shown.value : "start";
  });
  effect(() => {
    if (shown.value === "avatar" && isAvatarMade()) progress.value = unlock(progress.value);
  });
  return stage;
}

function choosePuppetTool(stage: Stage): void {
  effect(() => {
    const leads = (welcome.value?.tools ?? []).find(({ name }) => toolOf(name).performsBody);
    if (!leads || tool.value === leads.name) return;
    tool.value = leads.name;
    stage.opening.dragged(leads.name); // hints are about the studio's mouse
  });
}

/** The horizon of a still picture, and the narrator's speech bubble. */
function buildMarks(view: HTMLElement, stage: Stage, scenery: Scenery): void {
  const horizon = placeIn(view, "stages-horizon");
  const bubble = placeIn(view, "stages-bubble");
  bubble.setAttribute("role", "status");
  effect(() => {
    const up = horizonOf(cameraPitch.value, stage.orbit.camera);
    horizon.style.top = `${50 - 50 * up}%`;
    horizon.hidden = shown.value !== "place" || sight.value === null || source.value === "camera";
  });
  const follow = () => {
    const at = scenery.bubblePlace();
    bubble.hidden = !at || !said.peek();
    if (!at) return;
    const most = view.clientWidth - bubble.offsetWidth - 12;
    const left = Math.min(Math.max(at.x - bubble.offsetWidth / 2, 12), Math.max(most, 12));
    bubble.style.left = `${left}px`;
    bubble.style.setProperty(
      "--tail",
      `${Math.min(Math.max(at.x - left, 18), bubble.offsetWidth - 18)}px`,
    );
  };
  effect(() => {
    bubble.textContent = said.value;
    void [shown.value, sight.value, bodySize.value, begun.value];
    requestAnimationFrame(follow);
  });
  stage.turned = follow;
}

function go(name: StageName): void {
  progress.value = enter(progress.peek(), name);
}

function head(): TemplateResult {
  return html`<nav aria-label="Stages">
    ${STAGES.map(
      (name) =>
        html`<button
          class="plain"
          aria-current=${shown.value === name ? "step" : "false"}
          ?disabled=${!begun.value || !isOpen(progress.value, name) || stickPhase.value !== null}
          @click=${() => go(name)}
        >
          ${NAMES[name]}
        </button>`,
    )}
  </nav>`;
}

function panel(stage: Stage, background: Background): TemplateResult {
  if (!begun.value) return startPanel(background);
  const inside = {
    place: () => placePanel(stage),
    avatar: () => avatarPanel(stage, background),
    augmented: () => html`<p>Lead the puppet to the narrator.</p>`,
    mixed: mixedPanel,
    virtual: () => virtualPanel(stage),
  }[shown.value];
  return html`${inside()}${ends()}`;
}

/** Sensors, camera and speech need a tap. */
function startPanel(background: Background): TemplateResult {
  const begin = (prepare: () => Promise<void> | void) => {
    startSensors();
    void Promise.resolve(prepare()).then(() => {
      begun.value = true;
      if (sight.peek()) recentre();
    });
  };
  const again = () => (source.peek() === "camera" ? background.startCamera() : background.show());
  return html`<strong>From reality to virtuality</strong>
    <p>A game that begins in your room and ends in another world.</p>
    <div class="stages-buttons">
      ${
        sight.value
          ? html`<button class="main" @click=${() => begin(again)}>Continue</button>`
          : nothing
      }
      <button
        class=${sight.value ? "" : "main"}
        @click=${() => begin(() => background.startCamera())}
      >
        Use the camera
      </button>
      <label class="button"
        >Choose a picture<input
          type="file"
          accept="image/*"
          @change=${(event: Event) => {
            const file = (event.target as HTMLInputElement).files?.[0];
            if (file) begin(() => background.choosePicture(file));
          }}
      /></label>
      <button @click=${() => begin(() => background.useRoom())}>Drawn room</button>
      ${sight.value ? html`<button @click=${restart}>Start again</button>` : nothing}
    </div>`;
}

function virtualPanel(stage: Stage): TemplateResult {
  return html`<p>Explore: turn the phone, and lead the puppet.</p>
    ${
      headsetMode() === "immersive-vr"
        ? html`<button @click=${() => void enterHeadset(stage)}>Enter VR</button>`
        : nothing
    }`;
}

/** Recentre, sound, and the way to the next stage once it is open. */
function ends(): TemplateResult | typeof nothing {
  const next = nextOf(shown.value);
  const leads = shown.value !== "place" && shown.value !== "avatar";
  const isFree = stickPhase.value === null;
  return html`<div class="stages-ends">
    ${
      leads
        ? html`<button ?disabled=${!isFree} @click=${recentre}>Recentre</button>
            <button aria-pressed=${!silent.value} @click=${() => (silent.value = !silent.peek())}>
              ${silent.value ? "Sound off" : "Sound on"}
            </button>`
        : nothing
    }
    ${
      next && isOpen(progress.value, next)
        ? html`<button class="main" ?disabled=${!isFree} @click=${() => go(next)}>
            Next: ${NAMES[next]}
          </button>`
        : nothing
    }
  </div>`;
}
