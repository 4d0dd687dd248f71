// Signs at points of the body: pins, contacts, limits, stiffness, what is selected and what is under the pointer.

import { effect } from "@preact/signals-core";
import { Group, Vector3 } from "three";
import { spotName, story, takeOf } from "../state/document";
import { held } from "../state/hands";
import { chosenWish, frame, points, showMarks, take } from "../state/view";
import type { RigTold, Spot, WishTold } from "../wire/messages";
import { project } from "./eye";
import { looks } from "./looks";
import type { Pick } from "./picking";
import { placeOf } from "./pose";
import { takeShown } from "./shown";
import type { Stage } from "./stage";
import { Symbols, type Symbol3 } from "./symbols";

const SIZE = 15; // px

interface Mark {
  wish: WishTold;
  place: Vector3;
  active: boolean;
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
    if (under && under.kind !== "empty" && under.kind !== "gizmo" && under.kind !== "wish" && !held.value) {
      const size = under.kind === "body" ? (under.joint ? 9 : 7) : 8;
      symbols.push({ place: under.world, sign: "dot", colour: looks.value.accent, size, alpha: 0.95, lit: true });
    }
    this.symbols.draw(symbols);
  }

  private wishSymbol({ wish, place, active }: Mark): Symbol3 {
    const under = this.hovered?.kind === "wish" ? this.hovered.wish : null;
    const chosen = chosenWish.value?.kind === wish.kind && chosenWish.value.index === wish.index;
    const lit = chosen || (under?.kind === wish.kind && under.index === wish.index);
    return {
      place,
      sign: wish.kind,
      colour: wish.kind === "pin" ? looks.value.pin : looks.value.contact,
      size: active ? SIZE : SIZE - 3,
      alpha: active || lit ? 1 : 0.35,
      lit,
    };
  }

  private pointSymbols(stage: Stage, spot: Spot, acts: boolean): Symbol3[] {
    const actor = stage.actors.find(spot.character ?? "");
    const place = actor?.placed ? placeOf(actor.rig, actor.placed, spot) : null;
    if (!actor || !place) return [];
    const colour = acts ? looks.value.accent : looks.value.ink;
    const ring: Symbol3 = { place, sign: "ring", colour, size: acts ? 13 : 11, alpha: acts ? 1 : 0.7, lit: false };
    return acts && showMarks.value ? [ring, ...this.ways(stage, actor.rig, spot, place)] : [ring];
  }

  /** Beside the selected point: that its joint has limits, that it is stiffer or softer than most. */
  private ways(stage: Stage, rig: RigTold, spot: Spot, place: Vector3): Symbol3[] {
    const joint = rig.joints.indexOf(spot.joint);
    const own = rig.channels.filter((channel) => channel.joint === joint);
    const up = new Vector3().setFromMatrixColumn(stage.orbit.camera.matrixWorld, 1);
    const right = new Vector3().setFromMatrixColumn(stage.orbit.camera.matrixWorld, 0);
    const pixel = stage.orbit.worldPerPixel(place);
    const beside = (x: number, y: number) => place.clone().addScaledVector(right, x * pixel).addScaledVector(up, y * pixel);
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

/** Pins and contacts of the shown take, one sign for each point: the one that holds now before others. */
export function marksNow(stage: Stage): Mark[] {
  const found = new Map<string, Mark>();
  for (const wish of story.value?.wishes ?? []) {
    const name = wish.point.character ?? "";
    const actor = stage.actors.find(name);
    const shown = takeShown(name);
    if (!actor?.placed || (wish.take && wish.take !== shown && wish.take !== take.value)) continue;
    const place = placeOf(actor.rig, actor.placed, wish.point);
    if (!place) continue;
    const at = frame.value / (takeOf(name, shown)?.rate ?? 24);
    const active = at >= wish.start - 1e-6 && at <= wish.end + 1e-6;
    const key = `${wish.kind}\n${spotName(wish.point)}`;
    if (!found.has(key) || active) found.set(key, { wish, place, active });
  }
  return [...found.values()];
}

/** The sign under the pointer; signs stand beside their points. */
export function markAt(stage: Stage, x: number, y: number, near: number): { pick: Pick; distance: number } | null {
  let best: { pick: Pick; distance: number } | null = null;
  for (const { wish, place } of marksNow(stage)) {
    const seen = project(stage.orbit, place);
    if (!seen) continue;
    const middle = wish.kind === "pin" ? seen.y - 0.62 * SIZE : seen.y + 0.55 * SIZE;
    const distance = Math.hypot(seen.x - x, middle - y);
    if (distance > near || (best && distance >= best.distance)) continue;
    best = { pick: { kind: "wish", wish, spot: wish.point, world: place }, distance };
  }
  return best;
}
