// Sampling of motion curves: positions, orientations, the segment around a frame.

import { Quaternion, Vector3 } from "three";
import { curves, pointKey, type MotionCurve } from "../state/document";
import { firstFrame } from "../state/view";
import type { PointRef } from "../wire/messages";

/** A point's curve as it is drawn now: the preview of a drag, if there is one. */
export function curveOf(point: PointRef, live = true): MotionCurve | null {
  const info = curves.value.get(pointKey(point));
  return (live ? info?.live : null) ?? info?.still ?? null;
}

/** Where a curve is at a frame. */
export function sampleAt(curve: MotionCurve, frame: number, out = new Vector3()): Vector3 | null {
  const count = curve.positions.length / 3;
  if (count === 0) return null;
  const at = Math.min(Math.max(frame * curve.perFrame, 0), count - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, count - 1);
  const share = at - low;
  const p = curve.positions;
  return out.set(
    p[3 * low]! + share * (p[3 * high]! - p[3 * low]!),
    p[3 * low + 1]! + share * (p[3 * high + 1]! - p[3 * low + 1]!),
    p[3 * low + 2]! + share * (p[3 * high + 2]! - p[3 * low + 2]!),
  );
}

/** How the joint of a curve's point is oriented at a frame. */
export function orientationAt(curve: MotionCurve, frame: number): Quaternion | null {
  const count = curve.orientations.length / 4;
  if (count === 0) return null;
  const at = Math.min(Math.max(frame * curve.perFrame, 0), count - 1);
  const low = Math.floor(at);
  const one = (i: number) =>
    new Quaternion().fromArray(curve.orientations, 4 * Math.min(i, count - 1)).normalize();
  return one(low).slerp(one(low + 1), at - low);
}

/** The joint of a point itself: what a rotation turns about. */
export function jointOf(point: PointRef): PointRef {
  return { ...point, offset: [0, 0, 0] };
}

/** The stretch between the keys before and after a frame, in frames; ends of the curve count as keys. */
export function segmentAround(curve: MotionCurve, frame: number, rate: number): [number, number] {
  const last = (curve.positions.length / 3 - 1) / curve.perFrame;
  const slack = 1e-3;
  let start = 0;
  let end = last;
  for (const key of curve.keys) {
    const at = key * rate;
    if (at <= frame + slack && at > start && at < last - slack) start = at;
    if (at > frame + slack && at < end) end = at;
  }
  return [start, end];
}

const LONG = 150; // frames of a take from which on only a part of its curves is shown
const PART = 72; // frames to both sides

/** How many frames before and after the shown one a curve is drawn: long takes would be a tangle. */
export function reachOf(curve: MotionCurve): number {
  return curve.positions.length / 3 / curve.perFrame > LONG ? PART : 1e6;
}

/** A stretch of a curve with all that can be seen around a frame, and the frame at which it begins. */
export interface Part {
  curve: MotionCurve;
  first: number; // frame
  middle: number; // frame around which it was cut; it is good for `PART` frames more to both sides
}

/** Frames of a reference pose, which no curve leads through, unless one of them is shown. */
function leadBefore(frame: number): number {
  return frame < firstFrame.peek() ? 0 : firstFrame.peek();
}

/** Of long takes twice what is drawn, so that it need not be cut anew for each frame. */
export function partAround(curve: MotionCurve, frame: number, rate: number): Part {
  const lead = leadBefore(frame);
  const isShort = reachOf(curve) > PART;
  if (isShort && lead === 0) return { curve, first: 0, middle: frame };
  const last = curve.positions.length / 3 / curve.perFrame;
  const middle = Math.round(Math.min(Math.max(frame, 0), last));
  const first = Math.max(isShort ? 0 : middle - 2 * PART, lead);
  const end = isShort ? last : middle + 2 * PART;
  const [from, to] = [first * curve.perFrame, end * curve.perFrame + 1];
  const cut = (values: Float32Array, width: number) => values.subarray(width * from, width * to);
  return {
    curve: {
      ...curve,
      positions: cut(curve.positions, 3),
      orientations: cut(curve.orientations, 4),
      speeds: cut(curve.speeds, 1),
      keys: curve.keys.map((time) => time - first / rate),
    },
    first,
    middle,
  };
}

/** Whether a part still has all that is drawn at a frame. */
export function stillFits(
  { curve, first, middle }: Part,
  whole: MotionCurve,
  frame: number,
): boolean {
  if (first > 0 && frame < Math.min(first, firstFrame.peek())) return false;
  return curve === whole || (first === 0 && frame < middle) || Math.abs(frame - middle) <= PART;
}

/** The places of a curve that are clearly seen at a frame: its ends fade out where only a part is drawn. */
export function placesSeen(curve: MotionCurve, frame: number): Float32Array {
  const reach = reachOf(curve) / 2;
  const last = curve.positions.length / 3;
  const lead = leadBefore(frame) * curve.perFrame;
  const from = Math.min(Math.max(Math.floor((frame - reach) * curve.perFrame), lead), last);
  const to = Math.min(Math.max(Math.ceil((frame + reach) * curve.perFrame) + 1, 0), last);
  return curve.positions.subarray(3 * from, 3 * to);
}
