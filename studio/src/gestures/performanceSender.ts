// Sends a performance: all of it, in order, also over a slow or broken connection.

import type { Appended } from "../devices/performanceMessage";
import { appendBeside, beginBeside, besideInteractions } from "../state/besideInteractions";
import { previews, welcome, type InteractionPreview } from "../state/document";
import {
  appendSamples,
  beginInteraction,
  interaction,
  leaveForReview,
  setInteractionOptions,
  type PerformedItem,
} from "../state/interaction";
import type { PointRef, Welcome } from "../wire/messages";
import { unsentBytes } from "../wire/socket";

const ANSWER = 1; // s that the answer to the last message is waited for
const MOST_UNSENT = 50_000; // bytes

/** The interaction by which a performance is sent. */
export interface Exchange {
  begin: () => number; // its id
  append: (id: number, samples: Appended) => void;
  isActive: (id: number) => boolean;
}

/** The interaction of this window. */
export function ownExchange(tool: string, item: PerformedItem, time: number): Exchange {
  const { point, channels } = item;
  return {
    begin: () => beginInteraction(tool, point, time, { performed: { point, channels } }),
    append: (_, samples) => appendSamples(samples),
    isActive: (id) => interaction.peek()?.id === id,
  };
}

/** One beside it, for another character at the time of the playhead (s). */
export function besideExchange(tool: string, point: PointRef, time: number): Exchange {
  return {
    begin: () => beginBeside(tool, point, time),
    append: appendBeside,
    isActive: (id) => besideInteractions.peek().has(id),
  };
}

export class PerformanceSender {
  id = -1;
  private all: Appended[] = []; // that were sent so far
  private waiting: Appended[] = [];
  private greeted: Welcome | null = null;
  private last: { preview: InteractionPreview | undefined; at: number } | null = null;

  constructor(private readonly exchange: Exchange) {
    this.begin();
  }

  get isActive(): boolean {
    return this.exchange.isActive(this.id);
  }

  /** Whether the connection was lost and is there again, so that all has to be sent once more. */
  get wasCutOff(): boolean {
    return welcome.peek() !== this.greeted;
  }

  get isEmpty(): boolean {
    return this.all.length + this.waiting.length === 0;
  }

  /** s from the first sample to the last that was sent. */
  get duration(): number {
    return (this.all.at(-1)?.times.at(-1) ?? 0) - (this.all[0]?.times[0] ?? 0);
  }

  add(message: Appended): void {
    this.waiting.push(message);
  }

  /** Sends what waits, where the server has answered the message before. */
  step(now: number): void {
    const answered = previews.peek().get(this.id) !== this.last?.preview;
    const isDue = !this.last || answered || now - this.last.at > ANSWER;
    if (isDue && this.waiting.length && unsentBytes() < MOST_UNSENT) this.flush(now);
  }

  /** Sends all that waits, as one message. */
  flush(now: number): void {
    for (const each of merged(this.waiting)) {
      this.all.push(each);
      this.exchange.append(this.id, each);
    }
    this.waiting = [];
    this.last = { preview: previews.peek().get(this.id), at: now };
  }

  /** After a lost connection: a new interaction with all samples so far, and the same options. */
  again(now: number, open: boolean, own: Parameters<typeof setInteractionOptions>[0]): void {
    this.waiting = [...this.all, ...this.waiting];
    this.all = [];
    this.begin();
    this.flush(now);
    if (own) setInteractionOptions(own);
    if (open) leaveForReview();
  }

  private begin(): void {
    this.greeted = welcome.peek();
    this.id = this.exchange.begin();
  }
}

const MOST = 2000; // samples of one message

/** Messages as few as possible: each has a preview computed for it. */
export function merged(messages: readonly Appended[]): Appended[] {
  const found: Appended[] = [];
  for (const each of messages) {
    const last = found.at(-1);
    if (last && last.times.length + each.times.length <= MOST)
      found[found.length - 1] = joined(last, each);
    else found.push(each);
  }
  return found;
}

function joined(one: Appended, other: Appended): Appended {
  return {
    ...one,
    times: [...one.times, ...other.times],
    poses: [...(one.poses ?? []), ...(other.poses ?? [])],
    ...(one.axes ? { axes: [...one.axes, ...(other.axes ?? [])] } : {}),
    ...(one.buttons ? { buttons: [...one.buttons, ...(other.buttons ?? [])] } : {}),
  };
}
