// What a stick in the hand points at, and the camera that goes with it.

import { effect } from "@preact/signals-core";
import { Box3, Vector3 } from "three";
import type { Stand } from "../devices/orientationStick";
import { sceneInfo } from "../state/document";
import { character, frame, outlined, points, playing } from "../state/view";
import type { Pick } from "../viewport/pick";
import { bodyAt } from "../viewport/picking";
import { placedAt } from "../viewport/shownPose";
import type { Stage } from "../viewport/stage";
import { stickPhase } from "./stickPerformance";

const EVERY = 100; // ms between two looks at what is aimed at
const RINGS = [0, 22, 44]; // px around the crosshair: a hand shakes
const RAYS = 6; // of each ring
const CHEST = 0.62; // of a body's height: its feet are in the picture, too
const ABOVE = 0.22; // of the stick's length: it comes from a little above

type Aimed = Extract<Pick, { kind: "body" }>;

/** The body under the crosshair, or next to it. */
export function aimedBody(stage: Stage): Aimed | null {
  const { x, y } = stage.orbit.size;
  for (const radius of RINGS)
    for (let ray = 0; ray < (radius ? RAYS : 1); ray++) {
      const turn = (2 * Math.PI * ray) / RAYS;
      const at = [x / 2 + radius * Math.sin(turn), y / 2 - radius * Math.cos(turn)] as const;
      const found = bodyAt(stage, ...at);
      if (found) return found;
    }
  return null;
}

/** Where a stick of a length (m) is held to point at the chosen character, from the side that is seen now. */
export function standBefore(stage: Stage, length: number, yaw: number): Stand {
  const target = chestOf(stage);
  const away = new Vector3(Math.sin(yaw), ABOVE, Math.cos(yaw)).setLength(length);
  return { position: target.clone().add(away).toArray(), target: target.toArray() };
}

/** Where the chosen character is held, about. */
export function chestOf(stage: Stage): Vector3 {
  const actor = stage.actors.find(character.peek()) ?? stage.actors.all[0];
  const placed = actor && placedAt(actor.rig, frame.peek());
  const size = sceneInfo.peek()?.scale ?? 1;
  if (!actor || !placed) return new Vector3(0, CHEST * size, 0);
  const box = stage.actors.boxOf(actor, placed, new Box3());
  const middle = box.getCenter(new Vector3());
  return middle.setY(box.min.y + CHEST * (box.max.y - box.min.y));
}

/** Outlines what would be grabbed, until it is called off. */
export function startAiming(stage: Stage): () => void {
  const timer = setInterval(() => {
    const waits = stickPhase.peek() === "held" || playing.peek();
    outlined.value = waits ? "" : (aimedBody(stage)?.point.character ?? "");
  }, EVERY);
  // motion curves of selected points belong to the studio's tools
  const bare = effect(() => {
    if (points.value.length && stickPhase.value !== "held") points.value = [];
  });
  return () => {
    clearInterval(timer);
    bare();
    outlined.value = "";
  };
}
