// Times of a device on the page's clock.

const OWN_CLOCK = 1; // s; a device that is farther off counts from another moment than the page

/** Maps the times that a device states to the page's clock. */
export class DeviceClock {
  private offset: number | null = null; // s from the device's clock to the page's

  /** `stated` s by the device, received at `now` s by the page. */
  toPage(stated: number, now: number): number {
    if (!Number.isFinite(stated)) return now;
    const delay = now - stated;
    if (this.offset === null) this.offset = Math.abs(delay) > OWN_CLOCK ? delay : 0;
    // the sample that was delayed least is the best measure of a foreign clock
    else if (this.offset !== 0) this.offset = Math.min(this.offset, delay);
    return Math.min(stated + this.offset, now);
  }
}
