// Markers at points of the body: pins, contacts, limits, stiffness, selection, hover.

import { pointConstraints } from "../state/pinsAndContacts";
import { effect } from "@preact/signals-core";
import { Group, Vector3 } from "three";
import { pointKey, takeOf } from "../state/document";
import { interaction } from "../state/interaction";
import {
  selectedConstraint,
  frame,
  selectedOnlyMarkers,
  points,
  showMarkers,
  take,
} from "../state/view";
import { activeTool } from "../tools/shared/registry";
import { footplantsHere, type PointConstraint } from "../state/footplants";
import type { RigInfo, PointRef } from "../wire/messages";
import { project } from "./projection";
import { themeColours } from "./theme";
import type { Pick } from "./pick";
import { placeOf } from "./pose";
import { takeShown } from "../state/shownTakes";
import { loadedPoseAt } from "./shownPose";
import type { SceneView } from "./sceneView";
import { Symbols, type Symbol3 } from "./symbols";

const SIZE = 15; // px
const FAINT = 0.75; // opacity of markers of detected footplants
const NEAR = 2.5; // s around the shown frame within which footplants are drawn where the feet stand

interface Marker {
  pointConstraint: PointConstraint;
  place: Vector3;
  frame: number; // at which the point is there
  strength: number; // 1 where it holds now
}

export class Markers extends Group {
  hovered: Pick | null = null;
  private readonly symbols = new Symbols(24);

  constructor() {
    super();
    this.add(this.symbols);
    effect(() => this.symbols.applyTheme(themeColours.value["stage-bottom"]));
  }

  update(stage: SceneView): void {
    const last = points.value.length - 1;
    const symbols = points.value.flatMap((point, i) => this.pointSymbols(stage, point, i === last));
    if (showMarkers.value)
      symbols.push(...markersNow(stage).map((marker) => this.pointConstraintSymbol(marker)));
    const under = this.hovered;
    if (
      under &&
      under.kind !== "empty" &&
      under.kind !== "gizmo" &&
      under.kind !== "marker" &&
      under.kind !== "constraint" &&
      under.kind !== "handle" &&
      under.kind !== "arrow" &&
      !("tick" in under && under.tick) && // ticks and arrows are lit on the curve
      (!interaction.value || interaction.value.open)
    ) {
      const size = under.kind === "body" ? (under.joint ? 9 : 7) : 8;
      symbols.push({
        place: under.world,
        sign: "dot",
        colour: themeColours.value.accent,
        size,
        alpha: 0.95,
        lit: true,
      });
    }
    this.symbols.draw(symbols);
  }

  private pointConstraintSymbol({ pointConstraint, place, strength }: Marker): Symbol3 {
    const under = this.hovered?.kind === "marker" ? this.hovered.pointConstraint : null;
    const chosen =
      selectedConstraint.value?.kind === pointConstraint.kind &&
      selectedConstraint.value.index === pointConstraint.index;
    const lit =
      chosen || (under?.kind === pointConstraint.kind && under.index === pointConstraint.index);
    return {
      place,
      sign: pointConstraint.kind,
      colour: pointConstraint.kind === "pin" ? themeColours.value.pin : themeColours.value.contact,
      size: strength === 1 ? SIZE : SIZE - 3,
      alpha: lit ? 1 : strength * (pointConstraint.kind === "footplant" ? FAINT : 1),
      lit,
    };
  }

  private pointSymbols(stage: SceneView, point: PointRef, acts: boolean): Symbol3[] {
    const actor = stage.actors.find(point.character ?? "");
    const place = actor?.placed ? placeOf(actor.rig, actor.placed, point) : null;
    if (!actor || !place) return [];
    const colour = acts ? themeColours.value.accent : themeColours.value.ink;
    const ring: Symbol3 = {
      place,
      sign: "ring",
      colour,
      size: acts ? 13 : 11,
      alpha: acts ? 1 : 0.7,
      lit: false,
    };
    return acts && showMarkers.value
      ? [ring, ...this.ways(stage, actor.rig, point, place)]
      : [ring];
  }

  /** Beside the selected point: that its joint has limits, that it is stiffer or softer than most. */
  private ways(stage: SceneView, rig: RigInfo, point: PointRef, place: Vector3): Symbol3[] {
    const joint = rig.joints.indexOf(point.joint);
    const own = rig.channels.filter((channel) => channel.joint === joint);
    const up = new Vector3().setFromMatrixColumn(stage.orbit.camera.matrixWorld, 1);
    const right = new Vector3().setFromMatrixColumn(stage.orbit.camera.matrixWorld, 0);
    const pixel = stage.orbit.worldPerPixel(place);
    const beside = (x: number, y: number) =>
      place
        .clone()
        .addScaledVector(right, x * pixel)
        .addScaledVector(up, y * pixel);
    const found: Symbol3[] = [];
    const look = { colour: themeColours.value.ink, alpha: 0.75, lit: false };
    if (own.some((channel) => channel.low !== null || channel.high !== null)) {
      found.push({ ...look, place: beside(-15, 3), sign: "limit", size: 11 });
    }
    if (own.some((channel) => channel.stiffness > 2 || channel.stiffness < 0.5)) {
      found.push({ ...look, place: beside(-15, -8), sign: "stiff", size: 8 });
    }
    return found;
  }
}

/** Markers of the pins, contacts and footplants of the shown take. */
export function markersNow(stage: SceneView): Marker[] {
  const found = new Map<string, Marker>();
  for (const pointConstraint of [...pointConstraints.value, ...footplantsHere()]) {
    if (selectedOnlyMarkers.value && !isChosen(pointConstraint)) continue;
    const isFootplant =
      activeTool().overlays.footplants &&
      pointConstraint.kind !== "pin" &&
      !pointConstraint.relative_to;
    const marker = isFootplant
      ? footplantMarker(stage, pointConstraint)
      : bodyMarker(stage, pointConstraint);
    if (!marker) continue;
    const key = `${pointConstraint.kind}\n${pointKey(pointConstraint.point)}${isFootplant ? `\n${pointConstraint.index}` : ""}`;
    if (!found.has(key) || marker.strength === 1) found.set(key, marker);
  }
  return [...found.values()];
}

function isChosen(pointConstraint: PointConstraint): boolean {
  if (
    selectedConstraint.value?.kind === pointConstraint.kind &&
    selectedConstraint.value.index === pointConstraint.index
  )
    return true;
  const { joint, character } = pointConstraint.point;
  return points.value.some((each) => each.joint === joint && each.character === character);
}

/** The shown take that a pin or contact belongs to, if any. */
function playing(pointConstraint: PointConstraint): { name: string; rate: number } | null {
  const name = pointConstraint.point.character ?? "";
  const shown = takeShown(name);
  if (pointConstraint.take && pointConstraint.take !== shown && pointConstraint.take !== take.value)
    return null;
  return { name, rate: takeOf(name, shown)?.rate ?? 24 };
}

/** At the point in the shown frame; one marker per point, an active one before others. */
function bodyMarker(stage: SceneView, pointConstraint: PointConstraint): Marker | null {
  const played = playing(pointConstraint);
  const actor = stage.actors.find(pointConstraint.point.character ?? "");
  const place =
    played && actor?.placed ? placeOf(actor.rig, actor.placed, pointConstraint.point) : null;
  if (!played || !place) return null;
  const at = frame.value / played.rate;
  const holds = at >= pointConstraint.start - 1e-6 && at <= pointConstraint.end + 1e-6;
  return { pointConstraint, place, frame: frame.value, strength: holds ? 1 : 0.35 };
}

/** Where the point is at the frame of the footplant that is nearest to the shown one. */
function footplantMarker(stage: SceneView, pointConstraint: PointConstraint): Marker | null {
  const played = playing(pointConstraint);
  const actor = stage.actors.find(pointConstraint.point.character ?? "");
  if (!played || !actor) return null;
  const [first, last] = [
    Math.ceil(pointConstraint.start * played.rate - 1e-3),
    Math.floor(pointConstraint.end * played.rate + 1e-3),
  ];
  const when = Math.min(Math.max(frame.value, first), Math.max(last, first));
  const away = Math.abs(when - frame.value) / played.rate;
  if (away > NEAR) return null;
  if (away === 0) return bodyMarker(stage, pointConstraint);
  const placed = loadedPoseAt(actor.rig, when);
  const place = placed && placeOf(actor.rig, placed, pointConstraint.point);
  return place && { pointConstraint, place, frame: when, strength: 0.75 - (0.45 * away) / NEAR };
}

const SAME = 1.5; // px: of markers on top of each other, the one nearest in time wins

/** The marker under the pointer; markers stand beside their points. */
export function markerAt(
  stage: SceneView,
  x: number,
  y: number,
  near: number,
): { pick: Pick; distance: number } | null {
  let best: { pick: Pick; distance: number; strength: number } | null = null;
  for (const { pointConstraint, place, frame: at, strength } of markersNow(stage)) {
    const seen = project(stage.orbit, place);
    if (!seen) continue;
    const middle = pointConstraint.kind === "pin" ? seen.y - 0.62 * SIZE : seen.y + 0.55 * SIZE;
    const distance = Math.hypot(seen.x - x, middle - y);
    if (distance > near || (best && distance > best.distance + SAME)) continue;
    const alike = best && distance > best.distance - SAME;
    if (best && alike && strength <= best.strength) continue;
    best = {
      pick: {
        kind: "marker",
        pointConstraint,
        point: pointConstraint.point,
        frame: at,
        world: place,
      },
      distance,
      strength,
    };
  }
  return best;
}
