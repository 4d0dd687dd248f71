// Signs at points of the body: pins, contacts, limits, stiffness, what is selected and what is under the pointer.

import { effect } from "@preact/signals-core";
import { Group, Vector3 } from "three";
import { spotName, story, takeOf } from "../state/document";
import { held } from "../state/hands";
import { chosenWish, frame, ownMarks, points, showMarks, take, tool } from "../state/view";
import { plantsHere, type Wish } from "../state/plants";
import type { RigInfo, PointRef } from "../wire/messages";
import { project } from "./eye";
import { looks } from "./looks";
import type { Pick } from "./picking";
import { placeOf } from "./pose";
import { toldAt, takeShown } from "./shown";
import type { Stage } from "./stage";
import { Symbols, type Symbol3 } from "./symbols";

const SIZE = 15; // px
const FAINT = 0.75; // of signs that stand for what is only found
const NEAR = 2.5; // s before and after the shown frame, within which plants lie where they stand

interface Mark {
  wish: Wish;
  place: Vector3;
  frame: number; // at which the point is there
  strength: number; // 1 where it holds now
}

export class Marks extends Group {
  hovered: Pick | null = null;
  private readonly symbols = new Symbols(24);

  constructor() {
    super();
    this.add(this.symbols);
    effect(() => this.symbols.wear(looks.value["stage-bottom"]));
  }

  update(stage: Stage): void {
    const last = points.value.length - 1;
    const symbols = points.value.flatMap((spot, i) => this.pointSymbols(stage, spot, i === last));
    if (showMarks.value) symbols.push(...marksNow(stage).map((mark) => this.wishSymbol(mark)));
    const under = this.hovered;
    if (
      under &&
      under.kind !== "empty" &&
      under.kind !== "gizmo" &&
      under.kind !== "wish" &&
      under.kind !== "bound" &&
      !held.value
    ) {
      const size = under.kind === "body" ? (under.joint ? 9 : 7) : 8;
      symbols.push({
        place: under.world,
        sign: "dot",
        colour: looks.value.accent,
        size,
        alpha: 0.95,
        lit: true,
      });
    }
    this.symbols.draw(symbols);
  }

  private wishSymbol({ wish, place, strength }: Mark): Symbol3 {
    const under = this.hovered?.kind === "wish" ? this.hovered.wish : null;
    const chosen = chosenWish.value?.kind === wish.kind && chosenWish.value.index === wish.index;
    const lit = chosen || (under?.kind === wish.kind && under.index === wish.index);
    return {
      place,
      sign: wish.kind,
      colour: wish.kind === "pin" ? looks.value.pin : looks.value.contact,
      size: strength === 1 ? SIZE : SIZE - 3,
      alpha: lit ? 1 : strength * (wish.kind === "plant" ? FAINT : 1),
      lit,
    };
  }

  private pointSymbols(stage: Stage, spot: PointRef, acts: boolean): Symbol3[] {
    const actor = stage.actors.find(spot.character ?? "");
    const place = actor?.placed ? placeOf(actor.rig, actor.placed, spot) : null;
    if (!actor || !place) return [];
    const colour = acts ? looks.value.accent : looks.value.ink;
    const ring: Symbol3 = {
      place,
      sign: "ring",
      colour,
      size: acts ? 13 : 11,
      alpha: acts ? 1 : 0.7,
      lit: false,
    };
    return acts && showMarks.value ? [ring, ...this.ways(stage, actor.rig, spot, place)] : [ring];
  }

  /** Beside the selected point: that its joint has limits, that it is stiffer or softer than most. */
  private ways(stage: Stage, rig: RigInfo, spot: PointRef, place: Vector3): Symbol3[] {
    const joint = rig.joints.indexOf(spot.joint);
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
    const look = { colour: looks.value.ink, alpha: 0.75, lit: false };
    if (own.some((channel) => channel.low !== null || channel.high !== null)) {
      found.push({ ...look, place: beside(-15, 3), sign: "limit", size: 11 });
    }
    if (own.some((channel) => channel.stiffness > 2 || channel.stiffness < 0.5)) {
      found.push({ ...look, place: beside(-15, -8), sign: "stiff", size: 8 });
    }
    return found;
  }
}

/** Pins and contacts of the shown take. Where whole motions are edited, every plant lies where it stands. */
export function marksNow(stage: Stage): Mark[] {
  const found = new Map<string, Mark>();
  for (const wish of [...(story.value?.point_constraints ?? []), ...plantsHere()]) {
    if (ownMarks.value && !isChosen(wish)) continue;
    const isPlant = tool.value === "spacetime" && wish.kind !== "pin" && !wish.relative_to;
    const mark = isPlant ? plantMark(stage, wish) : bodyMark(stage, wish);
    if (!mark) continue;
    const key = `${wish.kind}\n${spotName(wish.point)}${isPlant ? `\n${wish.index}` : ""}`;
    if (!found.has(key) || mark.strength === 1) found.set(key, mark);
  }
  return [...found.values()];
}

function isChosen(wish: Wish): boolean {
  if (chosenWish.value?.kind === wish.kind && chosenWish.value.index === wish.index) return true;
  const { joint, character } = wish.point;
  return points.value.some((each) => each.joint === joint && each.character === character);
}

/** The take that plays a wish, if it is shown. */
function playing(wish: Wish): { name: string; rate: number } | null {
  const name = wish.point.character ?? "";
  const shown = takeShown(name);
  if (wish.take && wish.take !== shown && wish.take !== take.value) return null;
  return { name, rate: takeOf(name, shown)?.rate ?? 24 };
}

/** At the point as it is now: one sign for each point, the one that holds before others. */
function bodyMark(stage: Stage, wish: Wish): Mark | null {
  const played = playing(wish);
  const actor = stage.actors.find(wish.point.character ?? "");
  const place = played && actor?.placed ? placeOf(actor.rig, actor.placed, wish.point) : null;
  if (!played || !place) return null;
  const at = frame.value / played.rate;
  const holds = at >= wish.start - 1e-6 && at <= wish.end + 1e-6;
  return { wish, place, frame: frame.value, strength: holds ? 1 : 0.35 };
}

/** Where the point stands at the moment of the plant that is nearest to the shown one. */
function plantMark(stage: Stage, wish: Wish): Mark | null {
  const played = playing(wish);
  const actor = stage.actors.find(wish.point.character ?? "");
  if (!played || !actor) return null;
  const [first, last] = [
    Math.ceil(wish.start * played.rate - 1e-3),
    Math.floor(wish.end * played.rate + 1e-3),
  ];
  const when = Math.min(Math.max(frame.value, first), Math.max(last, first));
  const away = Math.abs(when - frame.value) / played.rate;
  if (away > NEAR) return null;
  if (away === 0) return bodyMark(stage, wish);
  const placed = toldAt(actor.rig, when);
  const place = placed && placeOf(actor.rig, placed, wish.point);
  return place && { wish, place, frame: when, strength: 0.75 - (0.45 * away) / NEAR };
}

const SAME = 1.5; // px: of signs that lie on each other, the one nearest in time is meant

/** The sign under the pointer; signs stand beside their points. */
export function markAt(
  stage: Stage,
  x: number,
  y: number,
  near: number,
): { pick: Pick; distance: number } | null {
  let best: { pick: Pick; distance: number; strength: number } | null = null;
  for (const { wish, place, frame: at, strength } of marksNow(stage)) {
    const seen = project(stage.orbit, place);
    if (!seen) continue;
    const middle = wish.kind === "pin" ? seen.y - 0.62 * SIZE : seen.y + 0.55 * SIZE;
    const distance = Math.hypot(seen.x - x, middle - y);
    if (distance > near || (best && distance > best.distance + SAME)) continue;
    const alike = best && distance > best.distance - SAME;
    if (best && alike && strength <= best.strength) continue;
    best = {
      pick: { kind: "wish", wish, spot: wish.point, frame: at, world: place },
      distance,
      strength,
    };
  }
  return best;
}
