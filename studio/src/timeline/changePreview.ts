// Previews of changes during a drag: at most one message per drawn frame, the newest one.

import {
  cancelInteraction,
  interaction,
  commitInteraction,
  previewChange,
} from "../state/interaction";
import { mayEdit } from "../wire/role";
import { send } from "../wire/socket";
import { character, take } from "../state/view";
import type { Change } from "../wire/messages";

let waiting: Change | null = null;
let scheduled = 0;
let sliding: number | null = null; // the interaction

export function here(): { character: string; take: string } {
  return { character: character.peek(), take: take.peek() };
}

/** Whether no other interaction is in progress. */
export function isInteractionFree(): boolean {
  return interaction.peek() === null;
}

export function slideSoon(change: Change): void {
  if (!mayEdit()) return;
  waiting = change;
  if (!scheduled) scheduled = requestAnimationFrame(flush);
}

export function finishPreview(keep: boolean): void {
  cancelAnimationFrame(scheduled);
  if (keep) flush();
  waiting = null;
  scheduled = 0;
  const holds = sliding !== null && !wasInterrupted();
  sliding = null;
  if (holds && keep) commitInteraction();
  else if (holds) cancelInteraction();
}

/** Whether the interaction was ended by something else, such as an undo. */
export function wasInterrupted(): boolean {
  return sliding !== null && interaction.peek()?.id !== sliding;
}

function flush(): void {
  scheduled = 0;
  if (waiting && !wasInterrupted()) sliding = previewChange(waiting);
  waiting = null;
}

/** One step, also of several changes. */
export function doAtOnce(...changes: Change[]): void {
  const [only, ...others] = changes;
  if (others.length) send({ type: "ApplyChanges", changes });
  else if (only) send({ type: "ApplyChange", change: only });
}
