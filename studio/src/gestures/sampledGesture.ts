// A gesture made of samples: begins at the press, sends all of them, once per drawn frame.

import {
  appendSamples,
  beginInteraction,
  cancelInteraction,
  interaction,
  type DragContext,
} from "../state/interaction";
import { frame, rate } from "../state/view";
import type { PointRef } from "../wire/messages";
import { activeGesture, type ActiveGesture, type PointerSample } from "../viewport/activeGesture";
import type { Stage } from "../viewport/stage";
import { releaseInteraction } from "./release";
import { SampleQueue } from "./samples";

export abstract class SampledGesture implements ActiveGesture {
  private readonly id: number;
  private readonly queue: SampleQueue;

  constructor(
    protected readonly stage: Stage,
    tool: string,
    point: PointRef | null,
    first: PointerSample,
    context: DragContext = {},
  ) {
    this.queue = new SampleQueue(first);
    this.id = beginInteraction(tool, point, frame.peek() / rate.peek(), context);
    activeGesture.value = this;
    stage.changed();
  }

  /** The message that appends samples. */
  protected abstract message(
    samples: readonly PointerSample[],
  ): Parameters<typeof appendSamples>[0];

  to(samples: readonly PointerSample[]): void {
    this.queue.add(samples);
    this.stage.changed();
  }

  step(): void {
    if (interaction.peek()?.id !== this.id) return this.end();
    for (const chunk of this.queue.take()) appendSamples(this.message(chunk));
  }

  commit(): void {
    this.step();
    if (activeGesture.peek() !== this) return;
    releaseInteraction();
    this.end();
  }

  cancel(): void {
    if (interaction.peek()?.id === this.id) cancelInteraction();
    this.end();
  }

  protected end(): void {
    activeGesture.value = null;
    this.stage.changed();
  }
}
