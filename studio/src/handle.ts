// `window.arcwright`: what tests and scripts may ask of the page. Places in the page are CSS px.

import { cast, curves, hands, lastSaved, poses, spotName, story, takeName } from "./state/document";
import { held } from "./state/hands";
import { isSettled } from "./state/settled";
import * as view from "./state/view";
import { startStopwatch } from "./stopwatch";
import { timelinePlaces } from "./timeline/places";
import { boundsNow } from "./viewport/bound";
import { project } from "./viewport/eye";
import { marksNow } from "./viewport/marks";
import { pick, type Pick } from "./viewport/picking";
import { curveOf, sampleAt } from "./viewport/samples";
import { worldAt } from "./viewport/shown";
import type { Stage } from "./viewport/stage";
import type { PointRef } from "./wire/messages";
import { line } from "./wire/socket";
import { Vector3 } from "three";

export function offerHandle(stage: Stage): void {
  Object.defineProperty(window, "arcwright", { value: handle(stage), configurable: true });
}

function handle(stage: Stage) {
  const inPage = (world: Vector3 | null): [number, number] | null => {
    const seen = world && project(stage.orbit, world);
    const edge = stage.canvas.getBoundingClientRect();
    return seen && [edge.left + seen.x, edge.top + seen.y];
  };
  const whole = (spot: PointRef): PointRef => ({
    offset: [0, 0, 0],
    character: view.character.peek(),
    ...spot,
  });
  return {
    /** The model is loaded, its frames are there, and a picture of them was drawn. */
    get ready(): boolean {
      const told = cast.peek();
      const name = takeName(view.character.peek(), view.take.peek());
      return (
        told !== null &&
        stage.opening.arranged === told.model &&
        poses.peek().get(name) !== undefined &&
        stage.drawn > 1
      );
    },
    /** Nothing that would change the picture is on its way. */
    get settled(): boolean {
      return isSettled();
    },
    state,
    timeline: timelinePlaces,
    screenOf: (spot: PointRef, frame = view.frame.peek()) => inPage(worldAt(whole(spot), frame)),
    curveAt: (spot: PointRef, frame: number) => {
      const curve = curveOf(whole(spot));
      return inPage(curve && sampleAt(curve, frame));
    },
    worldOf: (spot: PointRef, frame = view.frame.peek()) =>
      worldAt(whole(spot), frame)?.toArray() ?? null,
    positions: (spot: PointRef) => [
      ...(curves.peek().get(spotName(whole(spot)))?.still.positions ?? []),
    ],
    pick: (x: number, y: number) => {
      const edge = stage.canvas.getBoundingClientRect();
      return described(pick(stage, x - edge.left, y - edge.top));
    },
    /** RGBA bytes of a part of the viewport, right after drawing it. */
    pixels: (x: number, y: number, width: number, height: number) =>
      pixels(stage, x, y, width, height),
    /** The signs of pins and contacts: where they are seen, and the frame each is about. */
    marks: () =>
      marksNow(stage).map(({ wish, place, frame }) => ({
        kind: wish.kind,
        index: wish.index,
        frame,
        at: inPage(place),
        world: place.toArray(),
      })),
    /** Constraints as they are drawn: where their grips are seen. */
    constraints: () =>
      boundsNow(stage).map(({ told, grips, holds, label }) => ({
        index: told.index,
        constraint: told.constraint,
        holds,
        label: label?.text ?? "",
        grips: Object.fromEntries(
          grips.map((grip) => [grip.id, inPage(new Vector3(...grip.place))]),
        ),
      })),
    /** Where the camera looks from, and whether it is on its way. */
    camera: () => {
      const { yaw, pitch, distance, target, still } = stage.orbit;
      return { yaw, pitch, distance, target: target.toArray(), still };
    },
    draw: () => stage.draw(),
    /** Notes how old answers are until what it gives is called. */
    stopwatch: () => startStopwatch(stage),
    /** Measuring without drawing. */
    drawing: (on: boolean) => {
      stage.drawing = on;
    },
    setFrame: (frame: number) => {
      view.playing.value = false;
      view.frame.value = frame;
    },
    select: (...spots: PointRef[]) => {
      view.points.value = spots.map(whole);
    },
    view,
  };
}

function state() {
  const now = held.peek();
  return {
    line: line.peek(),
    revision: story.peek()?.revision ?? null,
    name: story.peek()?.name ?? "",
    saved: story.peek()?.saved ?? true,
    savedAs: lastSaved.peek()?.path ?? "",
    done: story.peek()?.done ?? [],
    undone: story.peek()?.undone ?? [],
    wishes: story.peek()?.point_constraints ?? [],
    takes: story.peek()?.takes ?? {},
    frame: view.frame.peek(),
    lastFrame: view.lastFrame.peek(),
    rate: view.rate.peek(),
    playing: view.playing.peek(),
    character: view.character.peek(),
    take: view.take.peek(),
    points: view.points.peek(),
    chosenWish: view.chosenWish.peek(),
    tool: view.tool.peek(),
    keymap: view.keymap.peek(),
    theme: view.theme.peek(),
    held: now && { hand: now.hand, tool: now.tool, time: now.time, target: now.target },
    hands: [...hands.peek().values()].map(({ pose, ...told }) => ({
      ...told,
      posed: pose.length > 0,
    })),
  };
}

function described(found: Pick) {
  if (found.kind === "empty") return { kind: "empty" };
  const { world, ...rest } = found;
  return { ...rest, world: world.toArray() };
}

function pixels(stage: Stage, x: number, y: number, width: number, height: number): number[] {
  const edge = stage.canvas.getBoundingClientRect();
  const ratio = stage.renderer.getPixelRatio();
  stage.draw();
  const flat = document.createElement("canvas");
  [flat.width, flat.height] = [width, height];
  const brush = flat.getContext("2d", { willReadFrequently: true });
  if (!brush) return [];
  brush.drawImage(
    stage.canvas,
    (x - edge.left) * ratio,
    (y - edge.top) * ratio,
    width * ratio,
    height * ratio,
    0,
    0,
    width,
    height,
  );
  return [...brush.getImageData(0, 0, width, height).data];
}
