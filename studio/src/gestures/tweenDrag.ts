// Tweens the pose between the keys beside it while the pointer moves sideways, without a button: a click keeps it.

import { SlidChange, tweenAt } from "../state/poses";
import { activeGesture, type ActiveGesture, type PointerSample } from "../viewport/activeGesture";
import type { Stage } from "../viewport/stage";

const WIDTH = 320; // px from one key's pose to the other's
const BEYOND = 0.5; // of the way, on either side

export class TweenDrag implements ActiveGesture {
  private readonly change = new SlidChange(tweenAt);
  private from: number | null = null;
  private share = 0.5;
  private sent: number | null = null;

  constructor(private readonly stage: Stage) {
    activeGesture.value = this;
    stage.changed();
  }

  to(samples: readonly PointerSample[]): void {
    const { x } = samples.at(-1)!;
    this.from ??= x;
    this.share = Math.min(Math.max(0.5 + (x - this.from) / WIDTH, -BEYOND), 1 + BEYOND);
    this.stage.changed();
  }

  step(): void {
    if (this.share === this.sent) return;
    this.sent = this.share;
    this.change.slide(Math.round(this.share * 100) / 100);
  }

  commit(): void {
    this.step();
    this.end(true);
  }

  cancel(): void {
    this.end(false);
  }

  draw(): void {
    const { hint, orbit } = this.stage;
    const text = `Tween ${Math.round(100 * this.share)} % · click keeps it · Esc cancels`;
    hint.showAbove(text, orbit.size.x / 2, 52);
  }

  private end(keep: boolean): void {
    activeGesture.value = null;
    this.change.end(keep);
    this.stage.hint.hide();
    this.stage.changed();
  }
}
