// Which pose each character shows at a frame: what the server told, with what hands do over it.

import { cast, hands, livePoses, poses, rigOf, story, takeName } from "../state/document";
import { rate, take } from "../state/view";
import type { RigInfo, PointRef } from "../wire/messages";
import { Quaternion, Vector3 } from "three";
import { blend, jointMatrix, placeOf, type Placed } from "./pose";

/** The take a character plays: the chosen one if it has it, else its first. */
export function takeShown(name: string): string {
  const takes = story.value?.takes[name] ?? [];
  return (takes.find((each) => each.name === take.value) ?? takes[0])?.name ?? "";
}

export interface Between {
  a: Float32Array;
  b: Float32Array;
  share: number;
}

/** The poses around a frame, or null while they are on their way. */
export function posesAround(name: string, frame: number, live = true): Between | null {
  const shown = takeShown(name);
  const at = takeName(name, shown || take.value); // a thing that never moved gets a take of that name
  const handed = live ? heldPose(name, frame) : null;
  if (handed) return { a: handed, b: handed, share: 0 };
  const told = shown ? poses.value.get(at)?.frames : undefined;
  const moved = (live && livePoses.value.get(at)) || null;
  if (!told?.length) return moved && onlyMoved(moved, frame);
  const last = told.length - 1;
  const low = Math.min(Math.max(Math.floor(frame), 0), last);
  const high = Math.min(low + 1, last);
  const a = moved?.get(low) ?? told[low];
  const b = moved?.get(high) ?? told[high] ?? a;
  if (!a || !b) return nearestTold(told, low);
  return { a, b, share: Math.min(Math.max(frame - low, 0), 1) };
}

/** What a hand makes of a take that is not there yet. */
function onlyMoved(moved: ReadonlyMap<number, Float32Array>, frame: number): Between | null {
  const [a, b] = [moved.get(Math.floor(frame)), moved.get(Math.floor(frame) + 1)];
  return a ? { a, b: b ?? a, share: frame - Math.floor(frame) } : null;
}

function nearestTold(told: readonly (Float32Array | null)[], from: number): Between | null {
  for (let off = 1; off < told.length; off++) {
    const near = told[from - off] ?? told[from + off];
    if (near) return { a: near, b: near, share: 0 };
  }
  return null;
}

/** The pose in a hand, if a hand holds this frame; it counts until the server says that the hand ended. */
function heldPose(name: string, frame: number): Float32Array | null {
  for (const told of hands.value.values()) {
    if (told.character !== name || told.take !== takeShown(name) || !told.pose.length) continue;
    if (Math.abs(told.time * rate.value - frame) < 1e-3) return told.pose;
  }
  return null;
}

export function placedAt(rig: RigInfo, frame: number, live = true): Placed | null {
  const near = posesAround(rig.name, frame, live);
  return near && blend(rig, near.a, near.b, near.share);
}

/** The rig at a whole frame that need not be near the shown one; null where that was not told. */
export function toldAt(rig: RigInfo, frame: number): Placed | null {
  const at = takeName(rig.name, takeShown(rig.name));
  const pose =
    heldPose(rig.name, frame) ??
    livePoses.value.get(at)?.get(frame) ??
    poses.value.get(at)?.frames[frame];
  if (!pose) return null;
  const known = worked.get(pose);
  if (known) return known;
  const placed = blend(rig, pose, pose, 0);
  worked.set(pose, placed);
  return placed;
}

const worked = new WeakMap<Float32Array, Placed>(); // matrices of poses that were asked for

/** Where a point is at a frame, in the world. */
export function worldAt(spot: PointRef, frame: number, live = true): Vector3 | null {
  const rig = rigOf(spot.character || (cast.value?.rigs[0]?.name ?? ""));
  const placed = rig && placedAt(rig, frame, live);
  return rig && placed ? placeOf(rig, placed, spot) : null;
}

/** How a point's joint is turned at a frame, before any hand moved it. */
export function turnAt(spot: PointRef, frame: number): Quaternion {
  const rig = rigOf(spot.character ?? "");
  const placed = rig && placedAt(rig, frame, false);
  const joint = rig?.joints.indexOf(spot.joint) ?? -1;
  if (!placed || joint < 0) return new Quaternion();
  const matrix = jointMatrix(placed, joint);
  const side = [0, 1, 2].map((i) => new Vector3().setFromMatrixColumn(matrix, i).normalize());
  return new Quaternion().setFromRotationMatrix(matrix.makeBasis(side[0]!, side[1]!, side[2]!));
}
