// The puppet is led over the camera picture: the stick as on the phone's page, a camera that stays where the phone is.

import { effect, untracked } from "@preact/signals-core";
import { html, type TemplateResult } from "lit-html";
import type { DevicePose } from "../devices/device";
import { phoneStick } from "../devices/registry";
import { draw, placeIn } from "../controls/draw";
import { grab, stickPhase } from "../gestures/stickPerformance";
import { StickFingers } from "../panels/stickFingers";
import { frame, lastFrame, options, playing, points, take, tool } from "../state/view";
import type { Stage } from "../viewport/stage";
import { viewOnly } from "../wire/role";
import { isLive } from "./background";
import { bodySize, cameraHeight, cameraPitch, props, shown, sight } from "./game";
import { poseOf, standAt, type Sight } from "./ground";
import { blocksOf } from "./stages";

const GRABBED = 18; // ms of vibration
const SWING = 0.006; // rad for each px of a finger, without sensors
const ADVANCE = 0.008; // body heights for each px of a finger, without sensors

const { stick, tracking } = phoneStick;

/** Where the camera is: at the phone, which looks around where the picture does; in the virtual world with the stick. */
export function cameraPose(): DevicePose {
  const still = poseOf(sight.value ?? unplaced());
  const turns = tracking.value === "orientation" || tracking.value === "position";
  if (shown.value === "virtual") return stick.pose();
  return isLive.value && turns && sight.value ? [still[0], stick.pose()[1]] : still;
}

/** Until the ground was tapped. */
function unplaced(): Sight {
  const size = bodySize.value;
  return {
    position: [0, cameraHeight.value * size, 2.6 * size],
    yaw: 0,
    pitch: stillPitch(),
  };
}

/** How far the camera of the picture looks above the horizon, rad. */
export function stillPitch(): number {
  return isLive.value ? (stick.tilt ?? cameraPitch.value) : cameraPitch.value;
}

/** The way the phone is held now looks as the camera did when the ground was tapped. */
export function recentre(): void {
  stick.recentre(standAt(poseOf(sight.peek() ?? unplaced())));
  phoneStick.touched();
}

export function buildLeading(root: HTMLElement, stage: Stage): void {
  const pad = placeIn(root, "stick-pad stages-pad");
  draw(placeIn(pad, "stick-hint"), hint);
  const fingers = new StickFingers(pad, () => press(stage));
  swingByFinger(pad);
  phoneStick.moved = () => stage.orbit.hold(untracked(cameraPose));
  effect(() => {
    stick.sensitivity = 1; // the picture turns as the phone does
    stick.size = bodySize.value;
  });
  effect(() => stage.orbit.hold(cameraPose()));
  effect(() => void pad.toggleAttribute("data-held", stickPhase.value === "held"));
  effect(() => {
    void shown.value;
    untracked(() => fingers.lift());
  });
  startStaying();
  startStandingOnProps();
}

/** The puppet steps onto real props, or stops at them, as long as they are there. */
function startStandingOnProps(): void {
  effect(() => {
    const blocks = shown.value === "virtual" ? "" : blocksOf(props.value);
    const own = options.value[tool.value];
    if (own && "blocks" in own && own["blocks"] !== blocks)
      options.value = { ...options.value, [tool.value]: { ...own, blocks } };
  });
}

/** Between performances the puppet stays where it was led; without the motion curves of the studio's tools. */
function startStaying(): void {
  effect(() => {
    void take.value;
    if (stickPhase.value !== null) return;
    if (playing.value) playing.value = false;
    if (frame.value !== lastFrame.value) frame.value = lastFrame.value;
  });
  effect(() => {
    const isFree = stickPhase.value === null;
    if (isFree && shown.value !== "virtual") stick.recentre(standAt(untracked(cameraPose)));
  });
  effect(() => {
    if (points.value.length) points.value = [];
  });
}

function press(stage: Stage): boolean {
  if (!grab(stage, phoneStick, null)) return false;
  navigator.vibrate?.(GRABBED);
  return true;
}

/** Without sensors the finger that holds the puppet swings the stick, and leads it. */
function swingByFinger(pad: HTMLElement): void {
  pad.addEventListener("pointermove", (event) => {
    if (tracking.peek() !== "drag" || stickPhase.peek() !== "held" || !event.isPrimary) return;
    stick.look(-SWING * event.movementX, 0);
    stick.advance(-ADVANCE * bodySize.peek() * event.movementY);
    phoneStick.touched();
  });
}

function hint(): TemplateResult {
  const [first, second] = viewOnly.value
    ? ["View only", "Leading the puppet needs a link that may edit."]
    : stickPhase.value === "held"
      ? ["Leading", "Release to stop"]
      : stickPhase.value === "sending"
        ? ["Saving…", ""]
        : tracking.value === "drag"
          ? ["Hold and drag", "Sideways swings the puppet, up and down leads it."]
          : ["Hold, and turn the phone", "A second finger leads it: up and down."];
  return html`<strong>${first}</strong><span>${second}</span>`;
}
