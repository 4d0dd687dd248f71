// Moves the camera along the ground with a character; angle, distance and height stay.

import { Vector2, Vector3, type Camera } from "three";
import { actedPose, sceneInfo, poses, rigOf, takeName, type Poses } from "../state/document";
import { activeGesture } from "./activeGesture";
import {
  character,
  followCharacter,
  frame,
  loopMode,
  playing,
  playRange,
  rate,
  resetFollow,
} from "../state/view";
import { evened, hipsOf, type Ground } from "./groundPath";
import { leavesView, outness } from "./leavesView";
import { originOf } from "./pose";
import { takePlayed, takeShown } from "../state/shownTakes";
import type { SceneView } from "./sceneView";
import type { RigInfo } from "../wire/messages";

const EVEN = 0.75; // s before and after, over which a way is evened out: sway and steps do not shake the picture
const FINE = 30; // samples a second of it
const LED = 0.6; // of the way to where it counts as out of view: all of a led body is seen, and what is ahead of it
const COARSE = 8; // samples a second that tell whether a path leaves the view

export class Follow {
  private model = "";
  private whose = "";
  private last: { frame: number; place: Ground } | null = null;
  private isOn = false;
  private afterDrag = false;
  private ledOut = false; // whether the camera went along with it
  /** How far the ground has moved under a loop that goes on: it would jump back with the body. */
  readonly drift = new Vector2();
  private looked: Poses | null = null; // the poses that were looked at for a path out of view

  /** Once for each picture, before it is drawn; `first` is the camera as it was when the model was opened. */
  step(stage: SceneView, model: string, first: Camera): void {
    const gesture = activeGesture.peek();
    if (gesture) {
      this.afterDrag = true; // the dragged point stays under the pointer
      if (gesture.leads) this.keepInView(stage, gesture.leads);
      return;
    }
    const name = character.peek();
    const whose = takeName(name, takeShown(name));
    const isOpened = model !== this.model;
    const isOther = whose !== this.whose;
    if (isOther && !isOpened) resetFollow();
    const now = frame.peek();
    const place = model ? groundAt(name, now) : null;
    if (!place) return;
    if (followCharacter.peek() === null && (this.ledOut || this.leaves(name, first))) {
      followCharacter.value = true;
      this.isOn = !isOther; // goes along from where it is seen now
    }
    const isOn = followCharacter.peek() === true;
    if (isOn && isOpened)
      this.carry(stage, groundAt(name, 0), place); // as it was framed at its beginning
    else if (isOn && (isOther || !this.isOn)) stage.orbit.centre(...place);
    else if (isOn && now !== this.last?.frame)
      this.carry(stage, this.last?.place ?? null, place, this.afterDrag);
    this.moveGround(name, now, isOn && !isOther && !isOpened);
    [this.model, this.whose, this.last] = [model, whose, { frame: now, place }];
    [this.isOn, this.afterDrag, this.ledOut] = [isOn, false, false];
  }

  /** A body that is led towards the border of the picture takes the camera along. */
  private keepInView({ orbit }: SceneView, name: string): void {
    const rig = rigOf(name);
    const pose = rig && actedPose(name);
    if (!pose || followCharacter.peek() === false) return;
    const place = new Vector3(...originOf(rig, pose.values, hipsOf(rig)));
    const out = outness(place, orbit.camera, orbit.distance);
    if (out <= LED) return;
    const share = 1 - LED / out; // of its way from the middle
    orbit.carry(share * (place.x - orbit.target.x), share * (place.z - orbit.target.z));
    this.ledOut = true;
  }

  /** A loop that begins anew goes on over the ground; where it stops, the ground is where it is. */
  private moveGround(name: string, now: number, isOn: boolean): void {
    if (!playing.peek() || !isOn) this.drift.set(0, 0);
    else if (this.last && now < this.last.frame && loopMode.peek() === "loop") {
      const [start, end] = playRange.peek().map((at) => groundAt(name, at));
      if (start && end) this.drift.add({ x: start[0] - end[0], y: start[1] - end[1] });
    }
  }

  private carry(stage: SceneView, from: Ground | null, to: Ground, gently = false): void {
    const [x, z] = from ? [to[0] - from[0], to[1] - from[1]] : [0, 0];
    if (x !== 0 || z !== 0) stage.orbit.carry(x, z, gently);
  }

  /** Whether poses that were loaded since the last look are out of view. */
  private leaves(name: string, first: Camera): boolean {
    const loaded = loadedPoses(name);
    if (!loaded || loaded.poses === this.looked) return false;
    this.looked = loaded.poses;
    return leavesFirstView(name, first);
  }
}

/** Whether a character is out of a camera's view anywhere in the loaded poses of its take. */
export function leavesFirstView(name: string, first: Camera): boolean {
  const loaded = loadedPoses(name);
  return loaded !== null && leavesView(hipsPlaces(loaded.rig, loaded.poses), first);
}

const FAR = 0.3; // body heights

/** Whether the take of a character is a loop that ends further on than it begins. */
export function goesOn(name: string): boolean {
  const loaded = loadedPoses(name);
  if (!loaded || !takePlayed(name)?.loops) return false;
  const { rig, poses } = loaded;
  const [first, last] = [poses.frames[0], poses.frames.at(-1)];
  if (!first || !last) return false;
  const [from, to] = [first, last].map((pose) => originOf(rig, pose, hipsOf(rig)));
  const way = Math.hypot(to![0] - from![0], to![2] - from![2]);
  return way > FAR * (sceneInfo.peek()?.scale ?? 1);
}

function* hipsPlaces(rig: RigInfo, { frames }: Poses): Generator<Vector3> {
  const joint = hipsOf(rig);
  const step = Math.max(1, Math.round(rate.peek() / COARSE));
  for (let at = 0; at < frames.length; at += step) {
    const pose = frames[at];
    if (pose) yield new Vector3(...originOf(rig, pose, joint));
  }
}

function loadedPoses(name: string): { rig: RigInfo; poses: Poses } | null {
  const rig = rigOf(name) ?? sceneInfo.peek()?.rigs[0];
  const loaded = rig && poses.peek().get(takeName(rig.name, takeShown(rig.name)));
  return rig && loaded?.frames.length ? { rig, poses: loaded } : null;
}

/** Where a character is over the ground around a frame, from the loaded poses. */
function groundAt(name: string, at: number): Ground | null {
  const loaded = loadedPoses(name);
  if (!loaded) return null;
  const { rig } = loaded;
  const { frames } = loaded.poses;
  const joint = hipsOf(rig);
  const place = (frame: number): Ground | null => {
    const pose = frames[frame];
    if (!pose) return null;
    const [x, , z] = originOf(rig, pose, joint);
    return [x, z];
  };
  const step = Math.max(1, Math.round(rate.peek() / FINE));
  return evened(
    Math.min(at, frames.length - 1),
    EVEN * rate.peek(),
    step,
    frames.length - 1,
    place,
  );
}
