// Previews of other windows' interactions, while this window has one of its own.

import type { ServerMessage } from "../wire/messages";
import { besideInteractions } from "./besideInteractions";
import { interaction } from "./interaction";
import { character, take } from "./view";

/** Whether somebody else's interaction previews the take that this window is editing: its own preview is shown. */
export function isBesideOwn(message: ServerMessage): boolean {
  const own = interaction.peek();
  if (!own) return false;
  const id =
    message.type === "Preview" || message.type === "Notes"
      ? message.interaction
      : "preview_of" in message
        ? message.preview_of
        : null;
  if (id === null || id === own.id || besideInteractions.peek().has(id)) return false;
  const about = message.type === "Preview" ? message.poses : [message];
  return about.some(
    (each) => "take" in each && each.character === character.peek() && each.take === take.peek(),
  );
}
