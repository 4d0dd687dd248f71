// `window.arcwright`: the page's interface for tests and scripts. Positions on the page are CSS px.

import { pointConstraints } from "./state/pinsAndContacts";
import {
  sceneInfo,
  curves,
  keys,
  previews,
  lastSaved,
  poses,
  pointKey,
  documentState,
  takeName,
} from "./state/document";
import { composition } from "./state/composition";
import { interaction } from "./state/interaction";
import { copiedPose } from "./state/poses";
import { recordedTime, recording } from "./state/recording";
import { sound, soundBuffer, soundStart } from "./state/sound";
import { begun, heardAt } from "./state/soundPlayback";
import { isUpToDate } from "./state/settled";
import * as view from "./state/view";
import { startStickwatch, startStopwatch } from "./stopwatch";
import { timelinePlaces } from "./timeline/places";
import { constraintDrawings } from "./viewport/constraintDrawing";
import { project } from "./viewport/projection";
import { markersNow } from "./viewport/markers";
import type { Pick } from "./viewport/pick";
import { pick } from "./viewport/picking";
import { curveOf, sampleAt } from "./viewport/motionCurve";
import { draggedArrows } from "./viewport/orientationArrows";
import { vertexIn } from "./viewport/deformedMeshes";
import { worldAt } from "./viewport/shownPose";
import { draggableHandles } from "./viewport/toolOverlays";
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
  const whole = (point: PointRef): PointRef => ({
    offset: [0, 0, 0],
    character: view.character.peek(),
    ...point,
  });
  return {
    /** The model is loaded, its frames are there, and a picture of them was drawn. */
    get ready(): boolean {
      const info = sceneInfo.peek();
      const name = takeName(view.character.peek(), view.take.peek());
      return (
        info !== null &&
        stage.opening.arranged === info.model &&
        (!view.take.peek() || poses.peek().get(name) !== undefined) &&
        stage.drawn > 1
      );
    },
    /** Nothing that would change the picture is on its way. */
    get settled(): boolean {
      return isUpToDate();
    },
    state,
    timeline: timelinePlaces,
    screenOf: (point: PointRef, frame = view.frame.peek()) => inPage(worldAt(whole(point), frame)),
    curveAt: (point: PointRef, frame: number) => {
      const curve = curveOf(whole(point));
      return inPage(curve && sampleAt(curve, frame));
    },
    placeOf: (world: [number, number, number]) => inPage(new Vector3(...world)),
    worldOf: (point: PointRef, frame = view.frame.peek()) =>
      worldAt(whole(point), frame)?.toArray() ?? null,
    positions: (point: PointRef) => [
      ...(curves.peek().get(pointKey(whole(point)))?.still.positions ?? []),
    ],
    pick: (x: number, y: number) => {
      const edge = stage.canvas.getBoundingClientRect();
      return described(pick(stage, x - edge.left, y - edge.top));
    },
    /** RGBA bytes of a part of the viewport, right after drawing it. */
    pixels: (x: number, y: number, width: number, height: number) =>
      pixels(stage, x, y, width, height),
    /** Markers of pins, contacts and footplants: where they are on the page, and their frames. */
    markers: () =>
      markersNow(stage).map(({ pointConstraint, place, frame }) => ({
        kind: pointConstraint.kind,
        index: pointConstraint.index,
        frame,
        at: inPage(place),
        world: place.toArray(),
      })),
    /** Constraints as they are drawn: where their handles are seen. */
    constraints: () =>
      constraintDrawings(stage).map(({ info, handles, holds, label }) => ({
        index: info.index,
        constraint: info.constraint,
        holds,
        label: label?.text ?? "",
        handles: Object.fromEntries(
          handles.map((handle) => [handle.id, inPage(new Vector3(...handle.place))]),
        ),
      })),
    /** Handles of the tool that can be dragged: where they are on the page, by name. */
    handles: () =>
      Object.fromEntries(
        draggableHandles().map(({ name, position }) => [name, inPage(new Vector3(...position))]),
      ),
    /** Tips of the acting point's arrows: where they are on the page, as far as they can be dragged. */
    arrows: () => {
      const curve = curveOf(whole(view.points.peek().at(-1) ?? { joint: "" }));
      const edge = stage.canvas.getBoundingClientRect();
      const seen = curve ? draggedArrows(stage, curve) : [];
      return seen.map(({ frame, axis, tip }) => ({
        frame,
        axis,
        at: [edge.left + tip.x, edge.top + tip.y],
      }));
    },
    /** Where a vertex is in its mesh, as it is drawn now. */
    vertexOf: (actor: string, vertex: number, shape = 0, part = 0) => {
      const drawn = stage.actors.find(actor)?.parts[shape]?.[part];
      return drawn ? vertexIn(drawn, vertex).toArray() : null;
    },
    /** Where the camera looks from, and whether it is on its way. */
    camera: () => {
      const { yaw, pitch, distance, target, still, camera } = stage.orbit;
      const position = camera.position.toArray();
      return { yaw, pitch, distance, target: target.toArray(), position, still };
    },
    /** What is marked under the pointer in the viewport. */
    marked: () => [
      ...(stage.curves.lit ? ["curve"] : []),
      ...(stage.gizmo.lit !== null ? ["gizmo"] : []),
      ...(stage.markers.hovered && stage.markers.hovered.kind !== "empty" ? ["marker"] : []),
      ...(stage.overlays.hovered !== null ? ["handle"] : []),
    ],
    /** A text that is the same for the same document, as this page knows it. */
    fingerprint: () => fingerprint(),
    draw: () => stage.draw(),
    /** Notes how old answers are until what it gives is called. */
    stopwatch: () => startStopwatch(stage),
    /** Notes how old the poses of a held puppet are, ms, until what it gives is called. */
    stickwatch: () => startStickwatch(stage),
    /** Measuring without drawing. */
    drawing: (on: boolean) => {
      stage.drawing = on;
    },
    setFrame: (frame: number) => {
      view.playing.value = false;
      view.frame.value = frame;
    },
    select: (...points: PointRef[]) => {
      view.points.value = points.map(whole);
    },
    view,
  };
}

/** What is heard of the sound: where it begins and how long it is, s, and how often it was begun. */
function heard() {
  const info = sound.peek();
  const { duration } = soundBuffer.peek() ?? { duration: 0 };
  return info && { ...info, shown: soundStart.peek(), duration, at: heardAt(), ...begun };
}

function state() {
  const now = interaction.peek();
  return {
    line: line.peek(),
    revision: documentState.peek()?.revision ?? null,
    name: documentState.peek()?.name ?? "",
    saved: documentState.peek()?.saved ?? true,
    savedAs: lastSaved.peek()?.path ?? "",
    done: documentState.peek()?.done ?? [],
    undone: documentState.peek()?.undone ?? [],
    activities: documentState.peek()?.activities ?? [],
    poses: (documentState.peek()?.poses ?? []).map(({ name, picture }) => ({ name, picture })),
    copiedPose: copiedPose.peek() !== null,
    composition: composition.peek(),
    pointConstraints: pointConstraints.peek(),
    takes: documentState.peek()?.takes ?? {},
    ground: documentState.peek()?.ground ?? [],
    frame: view.frame.peek(),
    lastFrame: view.lastFrame.peek(),
    rate: view.rate.peek(),
    playing: view.playing.peek(),
    character: view.character.peek(),
    take: view.take.peek(),
    points: view.points.peek(),
    selectedConstraint: view.selectedConstraint.peek(),
    tool: view.tool.peek(),
    keymap: view.keymap.peek(),
    theme: view.theme.peek(),
    interaction: now && {
      id: now.id,
      tool: now.tool,
      time: now.time,
      target: now.target,
      open: now.open ?? false,
      unkeyed: now.unkeyed ?? false,
    },
    sound: heard(),
    recording: recording.peek() && { ...recording.peek(), time: recordedTime.peek() },
    previews: [...previews.peek().values()].map(({ poses, ...info }) => ({
      ...info,
      ...info.drag,
      posed: poses.some((pose) => pose.values.length > 0),
    })),
  };
}

function fingerprint(): string {
  const now = documentState.peek();
  const rows = [...(keys.peek().get(takeName(view.character.peek(), view.take.peek())) ?? [])]
    .sort(([a], [b]) => a - b)
    .map(([channel, own]) => `${channel}:${[...own.rows].join(",")}:${own.beyond.join()}`);
  const { takes, constraints, poses: stored, sound: heard } = now ?? {};
  return `${rows.join(";")} ${JSON.stringify([takes, constraints, stored, heard])}`;
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
