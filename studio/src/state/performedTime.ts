// The playhead's time while something is performed: it rises on over the repeats of a take.

const KEPT = 10; // s of marks; samples arrive much sooner

interface Mark {
  at: number; // s on the page's clock
  time: number; // s of the playhead, repeats included
}

export class PerformedTime {
  private marks: Mark[];
  private pace = 1;

  constructor(at: number, time: number) {
    this.marks = [{ at, time }];
  }

  /** The clock has gone on to `at` at a pace; answers the time there. */
  advance(at: number, pace: number): number {
    const last = this.marks.at(-1)!;
    this.pace = pace;
    if (at <= last.at) return last.time;
    const next = { at, time: last.time + pace * (at - last.at) };
    this.marks = [...this.marks.filter((each) => each.at > at - KEPT), next];
    return next.time;
  }

  /** The time at a moment of the page's clock; before the first mark, that of the first. */
  timeAt(at: number): number {
    const after = this.marks.findIndex((each) => each.at > at);
    if (after === 0) return this.marks[0]!.time;
    const last = this.marks.at(after < 0 ? -1 : after - 1)!;
    if (after < 0) return last.time + this.pace * (at - last.at);
    const next = this.marks[after]!;
    return last.time + ((next.time - last.time) * (at - last.at)) / (next.at - last.at);
  }
}

/** Where a take that repeats is at a time, in s; the time may be below 0. */
export function wrapped(time: number, duration: number): number {
  return duration > 0 ? ((time % duration) + duration) % duration : 0;
}
