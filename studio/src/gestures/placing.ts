// How the space of a device lies in the world, for somebody who looks at the viewport.

import { Quaternion, Vector3 } from "three";
import type { DeviceSpace } from "../devices/device";
import { IN_THE_WORLD, type Placing } from "../devices/performanceMessage";
import { sceneInfo } from "../state/document";
import { project } from "../viewport/projection";
import type { Stage } from "../viewport/stage";
import type { Quat } from "../wire/messages";

const UP = new Vector3(0, 1, 0);

/** `place` is where the performed point is, in the world. */
export function placingOf({ orbit }: Stage, space: DeviceSpace, place: Vector3): Placing {
  if (space === "world") return IN_THE_WORLD;
  if (space === "room") {
    const level = new Quaternion().setFromAxisAngle(UP, orbit.yaw);
    return { origin: place.toArray(), rotation: wxyz(level), scale: 1 };
  }
  const rotation = wxyz(orbit.camera.quaternion);
  if (space === "view")
    return { origin: place.toArray(), rotation, scale: sceneInfo.peek()?.scale ?? 1 };
  const scale = orbit.worldPerPixel(place);
  if (space === "pad") return { origin: place.toArray(), rotation, scale };
  const seen = project(orbit, place) ?? { x: orbit.size.x / 2, y: orbit.size.y / 2 };
  const offset = new Vector3(seen.x, -seen.y, 0).multiplyScalar(scale);
  const origin = place.clone().sub(offset.applyQuaternion(orbit.camera.quaternion));
  return { origin: origin.toArray(), rotation, scale };
}

function wxyz({ w, x, y, z }: Quaternion): Quat {
  return [w, x, y, z];
}
