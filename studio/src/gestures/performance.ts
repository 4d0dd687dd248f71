// Performs with the pointer as a tracked device that moves in the plane of the screen, until it is released.

import type { Vector3 } from "three";
import { ACTIONS, pageTime, type Action } from "../devices/device";
import { performanceMessage, type Placing } from "../devices/performanceMessage";
import { pointerLayout, pointerSamples } from "../devices/pointer";
import { activeTool } from "../tools/shared/registry";
import type { PointRef } from "../wire/messages";
import type { PointerSample } from "../viewport/activeGesture";
import type { Stage } from "../viewport/stage";
import { placingOf } from "./placing";
import { SampledGesture } from "./sampledGesture";

const PRESSED = 0.15; // s that a key presses the button of an action

export class Performance extends SampledGesture {
  readonly leads: string;
  private readonly placing: Placing;
  private readonly actions: readonly Action[] = activeTool().performsBody ? ACTIONS : [];
  private action: Action | null = null;
  private until = 0; // s on the page's clock, of the action

  constructor(
    stage: Stage,
    tool: string,
    point: PointRef | null,
    private last: PointerSample,
    private readonly device: string, // "mouse", "pen" or "touch"
    pressed: Vector3, // the place that the plane goes through
  ) {
    super(stage, tool, point, last, { performed: { point, channels: [] } });
    this.placing = placingOf(stage, "screen", pressed);
    this.leads = activeTool().performsBody ? (point?.character ?? "") : "";
  }

  override to(samples: readonly PointerSample[]): void {
    super.to(samples.map((each) => ({ ...each, action: this.action })));
    this.last = samples.at(-1) ?? this.last;
  }

  act(action: Action): void {
    this.action = action;
    this.until = pageTime() + PRESSED;
    this.rest();
  }

  override step(): void {
    if (this.action) {
      if (pageTime() > this.until) this.action = null;
      this.rest();
    }
    super.step();
  }

  /** It was held until the release, though the pointer may have rested before. */
  override commit(released = pageTime()): void {
    this.rest(released);
    super.commit();
  }

  /** The pointer is where it was: a key needs no movement to be sent. */
  private rest(time = pageTime()): void {
    this.to([{ ...this.last, time }]);
  }

  protected message(samples: readonly PointerSample[]) {
    const layout = { ...pointerLayout(this.device), buttonNames: this.actions };
    const given = pointerSamples(this.device, samples).map((each, i) => ({
      ...each,
      buttons: this.actions.map((action) => action === samples[i]!.action),
    }));
    return performanceMessage(this.device, layout, given, (time) => time, this.placing);
  }
}
