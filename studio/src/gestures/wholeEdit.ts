// An edit of the whole take that options steer: it stays open, so that they can be changed, until it is applied.

import {
  beginInteraction,
  interaction,
  leaveOpen,
  setInteractionOptions,
} from "../state/interaction";
import { frame, rate, tool } from "../state/view";
import { toolOf } from "../tools/shared/registry";
import { mayEdit } from "../wire/role";

/** Whether the active tool can edit the whole take, and no interaction is in progress. */
export function canEditWhole(): boolean {
  return toolOf(tool.value).whole !== undefined && !interaction.value;
}

export function editWhole(): void {
  if (!mayEdit()) return;
  beginInteraction(tool.peek(), null, frame.peek() / rate.peek());
  setInteractionOptions();
  leaveOpen();
}
