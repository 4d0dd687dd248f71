// Performs with the pointer as a tracked device that moves in the plane of the screen, until it is released.

import type { Vector3 } from "three";
import { performanceMessage, type Placing } from "../devices/performanceMessage";
import { pointerLayout, pointerSamples } from "../devices/pointer";
import type { PointRef } from "../wire/messages";
import type { PointerSample } from "../viewport/activeGesture";
import type { Stage } from "../viewport/stage";
import { placingOf } from "./placing";
import { SampledGesture } from "./sampledGesture";

export class Performance extends SampledGesture {
  private readonly placing: Placing;

  constructor(
    stage: Stage,
    tool: string,
    point: PointRef | null,
    first: PointerSample,
    private readonly device: string, // "mouse", "pen" or "touch"
    pressed: Vector3, // the place that the plane goes through
  ) {
    super(stage, tool, point, first, { performed: { point, channels: [] } });
    this.placing = placingOf(stage, "screen", pressed);
  }

  protected message(samples: readonly PointerSample[]) {
    const given = pointerSamples(this.device, samples);
    const layout = pointerLayout(this.device);
    return performanceMessage(this.device, layout, given, (time) => time, this.placing);
  }
}
