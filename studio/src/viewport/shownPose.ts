// Which pose each character shows at a frame: the document's, with previews of interactions over it.

import {
  actedPose,
  sceneInfo,
  posesOf,
  livePoses,
  poses,
  rigOf,
  takeName,
} from "../state/document";
import { ownFrame, takeShown } from "../state/shownTakes";
import { rate, take } from "../state/view";
import type { RigInfo, PointRef } from "../wire/messages";
import { Quaternion, Vector3 } from "three";
import { blend, jointMatrix, placeOf, type Placed } from "./pose";

export interface Between {
  a: Float32Array;
  b: Float32Array;
  share: number;
}

/** The poses around a frame of the take that somebody plays, or null while they are on their way. */
export function posesAround(name: string, frame: number, live = true): Between | null {
  const shown = takeShown(name);
  const at = takeName(name, shown || take.value); // a prop without a take gets one of that name
  const handed = live ? (actedPose(name)?.values ?? previewPose(name, frame)) : null;
  if (handed) return { a: handed, b: handed, share: 0 };
  const info = shown ? poses.value.get(at)?.frames : undefined;
  const moved = (live && livePoses.value.get(at)) || null;
  if (!info?.length) return moved && onlyMoved(moved, frame);
  const last = info.length - 1;
  const low = Math.min(Math.max(Math.floor(frame), 0), last);
  const high = Math.min(low + 1, last);
  const a = moved?.get(low) ?? info[low];
  const b = moved?.get(high) ?? info[high] ?? a;
  if (!a || !b) return nearestLoaded(info, low);
  return { a, b, share: Math.min(Math.max(frame - low, 0), 1) };
}

/** The preview of a take that does not exist yet. */
function onlyMoved(moved: ReadonlyMap<number, Float32Array>, frame: number): Between | null {
  const [a, b] = [moved.get(Math.floor(frame)), moved.get(Math.floor(frame) + 1)];
  return a ? { a, b: b ?? a, share: frame - Math.floor(frame) } : null;
}

function nearestLoaded(info: readonly (Float32Array | null)[], from: number): Between | null {
  for (let off = 1; off < info.length; off++) {
    const near = info[from - off] ?? info[from + off];
    if (near) return { a: near, b: near, share: 0 };
  }
  return null;
}

/** The previewed pose of this frame, if any; it is shown until the interaction has ended on the server. */
function previewPose(name: string, frame: number): Float32Array | null {
  const shown = posesOf(name, takeShown(name)).find(
    (pose) => Math.abs(pose.time * rate.value - frame) < 1e-3,
  );
  return shown?.values ?? null;
}

export function placedAt(rig: RigInfo, frame: number, live = true): Placed | null {
  const near = posesAround(rig.name, frame, live);
  return near && blend(rig, near.a, near.b, near.share);
}

/** The rig at a whole frame that need not be near the shown one; null where it is not loaded. */
export function loadedPoseAt(rig: RigInfo, frame: number): Placed | null {
  const at = takeName(rig.name, takeShown(rig.name));
  const pose =
    previewPose(rig.name, frame) ??
    livePoses.value.get(at)?.get(frame) ??
    poses.value.get(at)?.frames[frame];
  if (!pose) return null;
  const known = worked.get(pose);
  if (known) return known;
  const placed = blend(rig, pose, pose, 0);
  worked.set(pose, placed);
  return placed;
}

const worked = new WeakMap<Float32Array, Placed>(); // matrices by pose

/** Where a point is at a frame of the shown take, in the world. */
export function worldAt(point: PointRef, frame: number, live = true): Vector3 | null {
  const rig = rigOf(point.character || (sceneInfo.value?.rigs[0]?.name ?? ""));
  const placed = rig && placedAt(rig, ownFrame(rig.name, frame), live);
  return rig && placed ? placeOf(rig, placed, point) : null;
}

/** The orientation of a point's joint at a frame, without previews. */
export function rotationAt(point: PointRef, frame: number): Quaternion {
  const rig = rigOf(point.character ?? "");
  const placed = rig && placedAt(rig, frame, false);
  const joint = rig?.joints.indexOf(point.joint) ?? -1;
  if (!placed || joint < 0) return new Quaternion();
  const matrix = jointMatrix(placed, joint);
  const side = [0, 1, 2].map((i) => new Vector3().setFromMatrixColumn(matrix, i).normalize());
  return new Quaternion().setFromRotationMatrix(matrix.makeBasis(side[0]!, side[1]!, side[2]!));
}
