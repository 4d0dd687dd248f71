// Fingers on the area that holds a puppet: the first one grabs; a second one leads along the ground, or raises.

import { phoneStick } from "../devices/registry";
import { pageTime } from "../devices/device";
import { activeGesture } from "../viewport/activeGesture";

const DECIDES = 10; // px after which a second finger keeps to its direction

interface Second {
  id: number;
  x: number; // px, where it was set down
  y: number;
  nowX: number;
  nowY: number;
  along: "lead" | "raise" | null;
}

export class StickFingers {
  private first: number | null = null;
  private second: Second | null = null;

  /** `grab` says whether it holds something. */
  constructor(
    private readonly pad: HTMLElement,
    private readonly grab: () => boolean,
  ) {
    pad.addEventListener("pointerdown", (event) => this.down(event));
    pad.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel"] as const)
      pad.addEventListener(kind, (event) => this.up(event.pointerId, event.timeStamp / 1000));
    pad.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Releases what is held. */
  lift(): void {
    this.second = null;
    if (this.first !== null) this.up(this.first);
  }

  private down(event: PointerEvent): void {
    event.preventDefault();
    this.pad.setPointerCapture(event.pointerId);
    const { pointerId: id, clientX: x, clientY: y } = event;
    if (this.first === null) {
      if (this.grab()) this.first = id;
    } else if (!this.second) {
      this.second = { id, x, y, nowX: x, nowY: y, along: null };
    }
  }

  private move({ pointerId, clientX, clientY }: PointerEvent): void {
    const { second } = this;
    if (!second || pointerId !== second.id) return;
    const [dx, dy] = [clientX - second.x, clientY - second.y];
    if (second.along === null && Math.hypot(dx, dy) > DECIDES) {
      second.along = Math.abs(dx) > Math.abs(dy) ? "raise" : "lead";
      if (second.along === "lead") this.lead(second, pageTime());
    }
    if (second.along === "raise") {
      phoneStick.stick.raise(clientX - second.nowX);
      phoneStick.touched();
    }
    [second.nowX, second.nowY] = [clientX, clientY];
  }

  /** As long as the finger is away from where it was set down, the device moves on. */
  private lead(second: Second, before: number): void {
    requestAnimationFrame(() => {
      if (this.second !== second) return;
      const now = pageTime();
      phoneStick.stick.lead(second.y - second.nowY, now - before);
      phoneStick.touched();
      this.lead(second, now);
    });
  }

  /** A finger left at a time of the page's clock, s. */
  private up(id: number, time = pageTime()): void {
    if (id === this.second?.id) this.second = null;
    if (id !== this.first) return;
    this.first = this.second = null;
    activeGesture.peek()?.commit(time);
  }
}
