// Samples of a device as the message that appends them to a performance.

import { Quaternion, Vector3 } from "three";
import type { Quat, Vec3 } from "../wire/messages";
import type { AppendPerformance } from "../wire/performanceFrame";
import type { DeviceLayout, DevicePose, DeviceSample } from "./device";

/** How the space of a device lies in the world. */
export interface Placing {
  origin: Vec3; // m, of what is performed
  rotation: Quat;
  scale: number; // m per unit of the device
}

export const IN_THE_WORLD: Placing = { origin: [0, 0, 0], rotation: [1, 0, 0, 0], scale: 1 };

export type Appended = Omit<AppendPerformance, "interaction">;

/** `timeOf` gives the time of the performance, in s, for one on the page's clock. */
export function performanceMessage(
  device: string,
  { axisNames, buttonNames }: DeviceLayout,
  samples: readonly DeviceSample[],
  timeOf: (time: number) => number,
  placing: Placing,
): Appended {
  const posed = samples[0]?.poses.length ? samples : [];
  return {
    type: "AppendPerformance",
    device,
    times: samples.map(({ time }) => timeOf(time)),
    poses: posed.map(({ poses }) => poses.map((pose) => placed(pose, placing))),
    ...(axisNames.length
      ? { axis_names: [...axisNames], axes: samples.map(({ axes }) => [...axes]) }
      : {}),
    ...(buttonNames.length
      ? { button_names: [...buttonNames], buttons: samples.map(({ buttons }) => [...buttons]) }
      : {}),
  };
}

function placed([position, orientation]: DevicePose, { origin, rotation, scale }: Placing) {
  const turn = quaternion(rotation);
  const place = new Vector3(...position).multiplyScalar(scale).applyQuaternion(turn);
  const turned = turn.multiply(quaternion(orientation)).normalize();
  return [
    place.add(new Vector3(...origin)).toArray(),
    [turned.w, turned.x, turned.y, turned.z],
  ] satisfies DevicePose;
}

function quaternion([w, x, y, z]: Quat): Quaternion {
  return new Quaternion(x, y, z, w);
}
