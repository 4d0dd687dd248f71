// Ghosts: previews of drags, onion skin, comparisons.

import { Group, type Color, type ShaderMaterial } from "three";
import { posesOf, type PreviewPose, type Poses } from "../state/document";
import {
  character,
  frame,
  ghosts,
  outlined,
  playing,
  playRange,
  rate,
  showMesh,
  strobe,
} from "../state/view";
import { hasSkin, type Actor } from "./actors";
import { ghostMaterial } from "./ghostMaterial";
import { themeColours } from "./theme";
import { blend, weightsOf } from "./pose";
import { comparedPoses } from "./comparison";
import type { SkinnedModel } from "./skinnedModel";
import { takeShown } from "../state/shownTakes";
import { posesAround, type Between } from "./shownPose";
import { set } from "./shaders";
import type { SceneView } from "./sceneView";
import { SkeletonShape } from "./skeleton";

const MOST = 32; // ghosts of one character

interface Apparition {
  near: Between;
  colour: Color;
  strength: number;
  striped: boolean;
  over: boolean; // drawn over the body where both are at the same place, else under it
  fill?: number; // opacity where it faces the camera, beside its edges
}

class Ghost {
  private readonly material = ghostMaterial();
  private readonly body: SkinnedModel | SkeletonShape;
  readonly root: Group;

  constructor(
    private readonly actor: Actor,
    size: number,
    readonly skin: boolean,
  ) {
    if (skin && actor.skinnedModel) {
      this.body = actor.skinnedModel.copy(this.material);
      this.root = this.body.group;
    } else this.root = this.body = new SkeletonShape(actor.rig, size, this.material);
    this.root.traverse((each) => (each.renderOrder = 2));
  }

  show({ near, colour, strength, striped, over, fill = 0.32 }: Apparition): void {
    const { rig } = this.actor;
    const placed = blend(rig, near.a, near.b, near.share);
    if (this.body instanceof SkeletonShape) this.body.place(placed);
    else this.body.place(placed, weightsOf(rig, near.a, near.b, near.share));
    const material: ShaderMaterial = this.material;
    set(material, "colour", colour);
    set(material, "strength", strength);
    set(material, "fill", fill);
    set(material, "striped", striped ? 1 : 0);
    material.polygonOffsetFactor = over ? -1 : 2;
    material.polygonOffsetUnits = over ? -2 : 8;
    this.root.visible = true;
  }

  free(): void {
    this.material.dispose();
  }
}

export class Ghosts extends Group {
  private readonly pools = new Map<Actor, Ghost[]>();

  update(stage: SceneView, size: number): void {
    this.removeGone(stage.actors.all);
    for (const actor of stage.actors.all) {
      const skin = hasSkin(actor);
      const wanted = showMesh.value || !skin ? apparitions(actor).slice(0, MOST) : [];
      if (this.pools.get(actor)?.some((ghost) => ghost.skin !== skin)) this.discard(actor);
      const pool = this.pools.get(actor) ?? [];
      while (pool.length < wanted.length) {
        const made = new Ghost(actor, size, skin);
        pool.push(made);
        this.add(made.root);
      }
      this.pools.set(actor, pool);
      pool.forEach((ghost, i) => {
        const info = wanted[i];
        if (info) ghost.show(info);
        else ghost.root.visible = false;
      });
    }
  }

  private removeGone(here: readonly Actor[]): void {
    for (const actor of this.pools.keys()) if (!here.includes(actor)) this.discard(actor);
  }

  private discard(actor: Actor): void {
    for (const ghost of this.pools.get(actor) ?? []) {
      this.remove(ghost.root);
      ghost.free();
    }
    this.pools.delete(actor);
  }
}

function apparitions(actor: Actor): Apparition[] {
  const name = actor.rig.name;
  const found = [...outline(name), ...previewNow(name), ...before(name)];
  if (name === character.value) found.push(...skins(name), ...flashes(name));
  return found;
}

/** Around the character that a device points at. */
function outline(name: string): Apparition[] {
  const near = name === outlined.value ? posesAround(name, frame.value) : null;
  const colour = themeColours.value.accent;
  return near ? [{ near, colour, strength: 1, striped: false, over: true, fill: 0.08 }] : [];
}

/** The poses of interactions in progress. */
function previewNow(name: string): Apparition[] {
  const shown = posesOf(name, takeShown(name)).filter((pose) => !pose.acted); // the body is there
  return shown.map((pose) => ({
    near: { a: pose.values, b: pose.values, share: 0 },
    colour: themeColours.value.ghost,
    strength: 0.55,
    striped: false,
    over: true,
    fill: isShown(pose) ? 0.06 : 0.32, // on the body itself only an outline: its colours stay
  }));
}

/** Whether the previewed frame is the shown one. */
function isShown(pose: PreviewPose): boolean {
  return !playing.value && Math.abs(pose.time * rate.value - frame.value) < 0.01;
}

/** How it was, at the shown frame and, with a strobe, at its frames. */
function before(name: string): Apparition[] {
  return comparedPoses(name).flatMap((info) =>
    [frame.value, ...flashFrames(name)].flatMap((at, i): Apparition[] => {
      const near = between(info, at);
      return near
        ? [
            {
              near,
              colour: themeColours.value.before,
              strength: i ? 0.4 : 0.75,
              striped: true,
              over: false,
            },
          ]
        : [];
    }),
  );
}

function between(info: Poses, at: number): Between | null {
  const low = Math.min(Math.max(Math.floor(at), 0), info.frames.length - 1);
  const a = info.frames[low];
  const b = info.frames[low + 1] ?? a;
  return a && b ? { a, b, share: Math.min(at - low, 1) } : null;
}

function skins(name: string): Apparition[] {
  const { on, before: past, after: future, step } = ghosts.value;
  if (!on) return [];
  const [first, last] = playRange.value;
  const at = (frames: number, of: number, colour: Color): Apparition[] => {
    const then = frame.value + frames * step;
    const near = then >= first - 1e-6 && then <= last + 1e-6 ? posesAround(name, then) : null;
    const strength = 0.5 * (1 - (0.6 * (Math.abs(frames) - 1)) / Math.max(of, 1));
    return near ? [{ near, colour, strength, striped: false, over: false }] : [];
  };
  const counts = (most: number) => Array.from({ length: Math.min(most, 8) }, (_, i) => i + 1);
  return [
    ...counts(past).flatMap((k) => at(-k, past, themeColours.value.past)),
    ...counts(future).flatMap((k) => at(k, future, themeColours.value.future)),
  ];
}

/** Ghosts over the whole playback range. */
function flashes(name: string): Apparition[] {
  return flashFrames(name).flatMap((at): Apparition[] => {
    const near = posesAround(name, at);
    const colour = at < frame.value ? themeColours.value.past : themeColours.value.future;
    return near ? [{ near, colour, strength: 0.3, striped: false, over: false }] : [];
  });
}

function flashFrames(name: string): number[] {
  if (!strobe.value.on || name !== character.value) return [];
  const [first, last] = playRange.value;
  const room = (MOST - 8) / (1 + comparedPoses(name).length);
  const every = Math.max(strobe.value.every, (last - first) / room, 1);
  return Array.from(
    { length: Math.floor((last - first) / every + 1e-6) + 1 },
    (_, i) => first + i * every,
  );
}
