// Draws a stroke over the viewport.

import { MathUtils } from "three";
import type { PointRef, Vec2 } from "../wire/messages";
import type { PointerSample } from "../viewport/activeGesture";
import type { Orbit } from "../viewport/orbit";
import type { Stage } from "../viewport/stage";
import type { CameraInfo } from "../wire/messages";
import { armed } from "../state/view";
import { SampledGesture } from "./sampledGesture";

export class Stroke extends SampledGesture {
  private readonly line: Vec2[];

  constructor(
    stage: Stage,
    tool: string,
    point: PointRef | null,
    first: PointerSample,
    private readonly pen: boolean, // which has pressure
  ) {
    super(stage, tool, point, first);
    this.line = [[first.x, first.y]];
    stage.overlays.drawnStroke = this.line;
    armed.value = null;
    stage.hint.hide();
  }

  override to(samples: readonly PointerSample[]): void {
    super.to(samples);
    for (const { x, y } of samples) this.line.push([x, y]);
  }

  protected message(samples: readonly PointerSample[]) {
    return {
      type: "AppendStroke" as const,
      camera: cameraInfo(this.stage.orbit),
      points: samples.map(({ x, y }): Vec2 => [x, y]),
      times: samples.map(({ time }) => time),
      ...(this.pen ? { pressure: samples.map(({ pressure }) => pressure) } : {}),
    };
  }

  protected override end(): void {
    this.stage.overlays.drawnStroke = [];
    super.end();
  }
}

/** The view as a message describes it. */
export function cameraInfo({ camera, size }: Orbit): CameraInfo {
  const { w, x, y, z } = camera.quaternion;
  return {
    position: camera.position.toArray(),
    orientation: [w, x, y, z],
    field_of_view: MathUtils.degToRad(camera.fov),
    width: size.x,
    height: size.y,
  };
}
