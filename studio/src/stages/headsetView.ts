// The virtual world in a headset: drawn there, with controllers that hold the puppet.

import { Quaternion, Vector3 } from "three";
import type { Standing } from "../devices/xrSticks";
import { startHeadset } from "../gestures/headsetGrab";
import type { Stage } from "../viewport/stage";

const UP = new Vector3(0, 1, 0);

export function enterHeadset(stage: Stage): Promise<void> {
  return startHeadset(stage, (session, standing) => drawInto(stage, session, standing));
}

async function drawInto(stage: Stage, session: XRSession, standing: Standing): Promise<void> {
  const { renderer } = stage;
  renderer.xr.enabled = true;
  session.addEventListener("end", () => {
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    stage.resize();
  });
  await renderer.xr.setSession(session);
  const floor = renderer.xr.getReferenceSpace()!;
  renderer.xr.setReferenceSpace(floor.getOffsetReferenceSpace(worldFrom(standing)));
  renderer.setAnimationLoop(() => stage.draw());
}

/** Where the world's origin is for somebody who stands there. */
function worldFrom({ position, yaw }: Standing): XRRigidTransform {
  const back = new Quaternion().setFromAxisAngle(UP, -yaw);
  const { x, y, z } = new Vector3(...position).negate().applyQuaternion(back);
  return new XRRigidTransform({ x, y, z }, { x: back.x, y: back.y, z: back.z, w: back.w });
}
