// Keyboard shortcuts: finds the command of a key for the place under the pointer.

import { commands, hotkeyOf, isEditing, type Command } from "../state/commands";
import { toast } from "../state/receive";
import { mayEdit } from "../wire/role";
import { keyOf, plainKey } from "../controls/hotkey";

export type Where = "viewport" | "timeline" | "elsewhere";

const REPEATS = /(Arrow(Left|Right)|[,.]|Ctrl\+.*Z)$/;
const OWN_KEYS = /^(Space|Enter|Arrow\w+|Home|End|PageUp|PageDown|Escape)$/;
const WRITING_KEYS = /^Ctrl\+(Shift\+)?[ACVXZY]$/;

let where: Where = "elsewhere";

export function startKeyboard(): void {
  const follow = (event: PointerEvent) => (where = placeOf(event.target));
  addEventListener("pointermove", follow, { capture: true, passive: true });
  addEventListener("pointerdown", follow, { capture: true, passive: true });
  addEventListener("focusin", ({ target }) => {
    // by the Tab key: then keys mean what they would under the pointer there
    if (target instanceof HTMLCanvasElement && target.matches(":focus-visible"))
      where = placeOf(target);
  });
  addEventListener("keydown", press);
  // a button that was clicked gives the keys back: Space should play, not press it again
  addEventListener("click", (event) => {
    const button = (event.target as Element).closest?.("button");
    if (event.detail > 0 && button && !button.closest("dialog, .menu")) button.blur();
  });
}

function placeOf(target: EventTarget | null): Where {
  if (!(target instanceof Element)) return "elsewhere";
  if (target.closest(".time")) return "timeline";
  return target.closest(".stage") ? "viewport" : "elsewhere";
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || document.querySelector("dialog:modal, .menu")) return;
  const key = keyOf(event);
  if (belongsToField(event.target, key)) return;
  const meant = commandFor(key, where, commands());
  const why = meant ? undefined : refusalFor(key, commands());
  if (!meant && isForEditors(key, commands()) && !mayEdit()) return event.preventDefault();
  if (!meant && !why) return;
  event.preventDefault();
  if (why && !event.repeat) toast(why, "info");
  if (meant && (!event.repeat || REPEATS.test(key))) meant.run();
}

/** The command a key means: one for the place under the pointer before one for anywhere. */
export function commandFor(
  key: string,
  place: Where,
  all: readonly Command[],
): Command | undefined {
  const meant = all.filter((each) => hasKey(each, key) && (each.enabled?.() ?? true));
  return (
    meant.find((each) => each.where === place) ??
    meant.find((each) => (each.where ?? "anywhere") === "anywhere") ??
    (place === "elsewhere" ? meant.find((each) => each.where === "viewport") : undefined)
  );
}

/** Whether a key means something to those who may edit. */
function isForEditors(key: string, all: readonly Command[]): boolean {
  return all.some((each) => isEditing(each) && hasKey(each, key));
}

/** Why a key that would mean something does nothing now. */
export function refusalFor(key: string, all: readonly Command[]): string | undefined {
  return all.find((each) => each.why && hasKey(each, key))?.why;
}

function hasKey(command: Command, key: string): boolean {
  return (
    hotkeyOf(command)
      ?.split(" ")
      .some((one) => plainKey(one) === key) ?? false
  );
}

function belongsToField(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const field = target.closest("input, textarea, select, [contenteditable='true']");
  const writing =
    field &&
    !(field instanceof HTMLInputElement && /^(checkbox|radio|range|button)$/.test(field.type));
  if (writing) return !key.startsWith("Ctrl+") || WRITING_KEYS.test(key);
  return (
    OWN_KEYS.test(key) &&
    target.matches(":is(button, input, a, [tabindex='0']:not(canvas)):focus-visible")
  );
}
