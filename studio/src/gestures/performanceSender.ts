// Sends a performance: all of it, in order, also over a slow or broken connection.

import type { Appended } from "../devices/performanceMessage";
import { previews, welcome, type InteractionPreview } from "../state/document";
import {
  appendSamples,
  beginInteraction,
  interaction,
  leaveOpen,
  setInteractionOptions,
  type PerformedItem,
} from "../state/interaction";
import type { Welcome } from "../wire/messages";
import { unsentBytes } from "../wire/socket";

const ANSWER = 1; // s that the answer to the last message is waited for
const MOST_UNSENT = 50_000; // bytes

export class PerformanceSender {
  id = -1;
  private all: Appended[] = []; // that were sent so far
  private waiting: Appended[] = [];
  private greeted: Welcome | null = null;
  private last: { preview: InteractionPreview | undefined; at: number } | null = null;

  constructor(
    private readonly tool: string,
    private readonly item: PerformedItem,
    private readonly time: number, // s, of the playhead
  ) {
    this.begin();
  }

  get isActive(): boolean {
    return interaction.peek()?.id === this.id;
  }

  /** Whether the connection was lost and is there again, so that all has to be sent once more. */
  get wasCutOff(): boolean {
    return welcome.peek() !== this.greeted;
  }

  get isEmpty(): boolean {
    return this.all.length + this.waiting.length === 0;
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
      appendSamples(each);
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
    if (open) leaveOpen();
  }

  private begin(): void {
    const { point, channels } = this.item;
    this.greeted = welcome.peek();
    this.id = beginInteraction(this.tool, point, this.time, { performed: { point, channels } });
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
