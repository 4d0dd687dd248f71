// Performs with the pointer as a tracked device that moves in the plane of the screen.

import { Plane, Vector3 } from "three";
import type { PointRef, Quat, Vec3 } from "../wire/messages";
import type { PointerSample } from "../viewport/activeGesture";
import { rayAt } from "../viewport/projection";
import type { Stage } from "../viewport/stage";
import { SampledGesture } from "./sampledGesture";

const PEN_AXES = ["pressure", "tilt_x", "tilt_y"]; // tilts in rad

export class Performance extends SampledGesture {
  private readonly plane: Plane;
  private last: Vector3;

  constructor(
    stage: Stage,
    tool: string,
    point: PointRef | null,
    first: PointerSample,
    private readonly device: string, // "mouse", "pen" or "touch"
    pressed: Vector3, // the place that the plane goes through
  ) {
    super(stage, tool, point, first);
    const back = new Vector3().setFromMatrixColumn(stage.orbit.camera.matrixWorld, 2);
    this.plane = new Plane().setFromNormalAndCoplanarPoint(back, pressed);
    this.last = pressed.clone();
  }

  protected message(samples: readonly PointerSample[]) {
    const pen = this.device === "pen";
    return {
      type: "AppendPerformance" as const,
      times: samples.map(({ time }) => time),
      poses: samples.map((sample): [Vec3, Quat][] => [this.pose(sample)]),
      device: this.device,
      ...(pen ? { axis_names: PEN_AXES, axes: samples.map(axesOf) } : {}),
    };
  }

  /** Where the pointer is in the plane, turned as the camera. */
  private pose({ x, y }: PointerSample): [Vec3, Quat] {
    const { orbit } = this.stage;
    const met = rayAt(orbit, x, y).intersectPlane(this.plane, new Vector3());
    if (met) this.last = met;
    const turn = orbit.camera.quaternion;
    return [this.last.toArray(), [turn.w, turn.x, turn.y, turn.z]];
  }
}

function axesOf({ pressure, tiltX, tiltY }: PointerSample): number[] {
  return [pressure, tiltX, tiltY];
}
