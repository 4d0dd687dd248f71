// The phone as a puppet's stick: the scene from where the phone is, a crosshair, and an area to hold.

import { computed, effect, signal, untracked } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { Euler, Quaternion } from "three";
import { draw, placeIn } from "../controls/draw";
import { sentence } from "../controls/text";
import { ACTIONS, type Action } from "../devices/device";
import { phoneStick } from "../devices/registry";
import { aimedBody, standBefore, startAiming } from "../gestures/stickAim";
import { grab, heldSeconds, stickPhase } from "../gestures/stickPerformance";
import { run } from "../state/commands";
import { documentState, sceneInfo, takeOf } from "../state/document";
import { timerText } from "../state/recording";
import {
  character,
  frame,
  lastFrame,
  loopMode,
  outlined,
  playing,
  playsPerformed,
  take,
} from "../state/view";
import { activeGesture } from "../viewport/activeGesture";
import { loadedPoseAt } from "../viewport/shownPose";
import type { Stage } from "../viewport/stage";
import { viewOnly } from "../wire/role";
import { line } from "../wire/socket";
import { stayAwake } from "./stayAwake";
import { StickFingers } from "./stickFingers";
import { leftHanded, lengthInWorld, sensitivity, stickSettings } from "./stickSettings";

const GRABBED = 18; // ms of vibration
const LOOK = 0.005; // rad for each px of a drag over the picture

const { stick, tracking } = phoneStick;
const missed = signal(false); // the last press was beside all characters
/** The frame at which the puppet waits: the end of a performance, the beginning of any other take. */
const restFrame = computed(() =>
  takeOf(character.value, take.value)?.sections.length ? lastFrame.value : 0,
);

/** `isOn` says, and is watched, whether the phone is a stick now. */
export function buildStickPad(
  root: HTMLElement,
  view: HTMLElement,
  stage: Stage,
  isOn: () => boolean,
): void {
  const recentre = () => centre(stage);
  const pad = placeIn(root, "stick-pad");
  draw(placeIn(pad, "stick-hint"), () => html`${hint()}`);
  draw(placeIn(root, "stick-foot", "footer"), () =>
    stickPhase.value === "held" ? html`${ACTIONS.map(actionZone)}` : foot(recentre),
  );
  draw(placeIn(view, "crosshair"), crosshair);
  draw(placeIn(root, "stick-over"), () => html`${startCard()}${stickSettings(recentre)}`);
  const fingers = new StickFingers(pad, () => press(stage));
  effect(() => {
    stick.sensitivity = sensitivity.value;
    stick.size = sceneInfo.value?.scale ?? 1;
    root.toggleAttribute("data-left", leftHanded.value);
  });
  effect(() => void pad.toggleAttribute("data-held", stickPhase.value === "held"));
  effect(() => (isOn() ? untracked(() => begin(stage, fingers, recentre)) : undefined));
}

/** The phone is a stick from now on, until what it gives is called. */
function begin(stage: Stage, fingers: StickFingers, recentre: () => void): () => void {
  const ends = [startAiming(stage), watchStill(), watchScene(recentre)];
  lookByDrag(stage);
  phoneStick.moved = () => stage.orbit.hold(stick.pose());
  playsPerformed.value = false;
  loopMode.value = "once"; // and the puppet waits where it ends
  recentre();
  return () => {
    playsPerformed.value = true;
    loopMode.value = "loop";
    for (const end of ends) end();
    fingers.lift();
    phoneStick.moved = () => {};
    stage.orbit.hold(null);
  };
}

/** The phone, as it is held now, looks at the chosen character. */
function centre(stage: Stage): void {
  const [w, x, y, z] = stick.pose()[1];
  const seen = tracking.peek() === "off" || !sceneInfo.peek();
  const yaw = seen
    ? stage.orbit.yaw
    : new Euler().setFromQuaternion(new Quaternion(x, y, z, w), "YXZ").y;
  stage.orbit.distance = lengthInWorld();
  stick.recentre(standBefore(stage, lengthInWorld(), yaw));
  phoneStick.touched();
}

/** A puppet stays where it was put, so that the next grab goes on from there. */
function watchStill(): () => void {
  return effect(() => {
    void [sceneInfo.value, take.value, character.value];
    const rest = restFrame.value;
    if (stickPhase.value !== null) return;
    playing.value = false;
    frame.value = rest;
  });
}

/** Looks at another character, and at the puppet where it waits once it was performed. */
function watchScene(recentre: () => void): () => void {
  let seen = "";
  return effect(() => {
    const rig = sceneInfo.value?.rigs.find((each) => each.name === character.value);
    const isLoaded = rig !== undefined && loadedPoseAt(rig, restFrame.value) !== null;
    const now = [sceneInfo.value?.model, character.value, take.value, restFrame.value].join("\n");
    if (stickPhase.value !== null) seen = "";
    else if (isLoaded && now !== seen) {
      seen = now;
      queueMicrotask(recentre);
    }
  });
}

function press(stage: Stage): boolean {
  const found = aimedBody(stage);
  missed.value = !found;
  if (!found || !grab(stage, phoneStick, found.point)) return false;
  navigator.vibrate?.(GRABBED);
  return true;
}

/** Without sensors a finger on the picture looks around. */
function lookByDrag({ canvas }: Stage): void {
  canvas.onpointermove = (event) => {
    if (tracking.peek() !== "drag" || event.buttons === 0) return;
    stick.look(LOOK * event.movementX, LOOK * event.movementY);
    phoneStick.touched();
  };
}

function crosshair(): TemplateResult {
  const aimed = outlined.value !== "";
  return html`<svg
    viewBox="-20 -20 40 40"
    data-aimed=${aimed}
    data-held=${stickPhase.value === "held"}
  >
    <circle r="11" />
    <path d="M-18 0h10M8 0h10M0 -18v10M0 8v10" />
  </svg>`;
}

function hint(): TemplateResult {
  if (viewOnly.value) return lines("View only", "Performing needs a link that may edit.");
  if (stickPhase.value === "held") {
    const lost = line.value === "open" ? "" : " · offline, nothing is lost";
    return lines(`${timerText(heldSeconds.value)}${lost}`, "Release to stop");
  }
  if (stickPhase.value === "sending")
    return lines("Saving…", line.value === "open" ? "" : "It is sent once the connection is back.");
  if (playing.value) return lines("Playing", "Hold to go on from here");
  if (outlined.value)
    return lines(
      `Hold to grab ${outlined.value}`,
      "A second finger leads it: up and down. Sideways raises it.",
    );
  return lines(
    missed.value ? "Nothing to grab there" : "Point at a character",
    "Tap Recentre to look at it.",
  );
}

function lines(first: string, second: string): TemplateResult {
  return html`<strong>${first}</strong>${second ? html`<span>${second}</span>` : nothing}`;
}

/** A touch zone for another finger while the puppet is held. */
function actionZone(action: Action): TemplateResult {
  const press = (isDown: boolean) => (event: Event) => {
    event.preventDefault();
    phoneStick.press(action, isDown);
    if (isDown) navigator.vibrate?.(GRABBED);
  };
  return html`<button
    class="stick-action"
    @pointerdown=${press(true)}
    @pointerup=${press(false)}
    @pointercancel=${press(false)}
    @contextmenu=${(event: Event) => event.preventDefault()}
  >
    ${sentence(action)}
  </button>`;
}

function foot(recentre: () => void): TemplateResult {
  const isFree = stickPhase.value === null;
  const steps = documentState.value?.done.length ?? 0;
  return html`<button ?disabled=${!isFree} @click=${recentre}>Recentre</button>
    <button
      ?disabled=${!isFree}
      aria-pressed=${playing.value}
      @click=${() => (playing.value = !playing.peek())}
    >
      ${playing.value ? "Pause" : "Play"}
    </button>
    <button
      ?disabled=${!isFree || steps === 0 || viewOnly.value || line.value !== "open"}
      @click=${() => run("edit.undo")}
    >
      Undo
    </button>`;
}

const CARDS = {
  off: [
    "Hold the phone towards the character",
    "It becomes the stick that leads the puppet, and its screen shows the scene from there.",
    "Start",
  ],
  asking: ["Waiting for the motion sensors", "Allow motion and orientation access.", ""],
  denied: [
    "The motion sensors are blocked",
    "iPhone: close this tab, open the link again, tap Start and choose Allow. Android: allow motion sensors in the browser's site settings, then reload.",
    "Try again",
  ],
} as const;

/** Until the sensors run: sensors, vibration and a screen that stays on need a tap. */
function startCard(): TemplateResult | typeof nothing {
  const now = tracking.value;
  if (now !== "off" && now !== "asking" && now !== "denied") return nothing;
  const [title, text, button] = CARDS[now];
  return html`<div class="stick-start" role="dialog" aria-label=${title}>
    <strong>${title}</strong>
    <p>${text}</p>
    ${button ? html`<button class="main" @click=${startSensors}>${button}</button>` : nothing}
    ${
      now === "denied"
        ? html`<button @click=${() => (tracking.value = "drag")}>Drag the picture instead</button>`
        : nothing
    }
  </div>`;
}

export function startSensors(): void {
  stayAwake();
  activeGesture.peek()?.cancel();
  void phoneStick.track();
}
