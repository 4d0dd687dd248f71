// Changes while the hand moves: at most one message for each picture, the newest counts.

import { forget, held, letGo, slide } from "../state/hands";
import { mayEdit } from "../wire/role";
import { say } from "../wire/socket";
import { character, take } from "../state/view";
import type { Change } from "../wire/messages";

let waiting: Change | null = null;
let asked = 0;
let sliding: number | null = null; // the hand

export function here(): { character: string; take: string } {
  return { character: character.peek(), take: take.peek() };
}

/** A hand that holds something else is left alone. */
export function handIsFree(): boolean {
  return held.peek() === null;
}

export function slideSoon(change: Change): void {
  if (!mayEdit()) return;
  waiting = change;
  if (!asked) asked = requestAnimationFrame(send);
}

export function settle(keep: boolean): void {
  cancelAnimationFrame(asked);
  if (keep) send();
  waiting = null;
  asked = 0;
  const holds = sliding !== null && !handWasTaken();
  sliding = null;
  if (holds && keep) letGo();
  else if (holds) forget();
}

/** Whether the hand that slides was ended by something else, such as an undo. */
export function handWasTaken(): boolean {
  return sliding !== null && held.peek()?.hand !== sliding;
}

function send(): void {
  asked = 0;
  if (waiting && !handWasTaken()) sliding = slide(waiting);
  waiting = null;
}

/** One step, also of several changes. */
export function doAtOnce(...changes: Change[]): void {
  const [only, ...others] = changes;
  if (others.length) say({ type: "ApplyChanges", changes });
  else if (only) say({ type: "ApplyChange", change: only });
}
