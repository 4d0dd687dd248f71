// The object of the activity under a file that is dragged over the viewport.

import { activityHere } from "../state/activities";
import { activeTraits } from "../state/toolTraits";
import { pick } from "../viewport/picking";
import type { Stage } from "../viewport/stage";

let seen: Stage | null = null;

export function startDropOnObject(stage: Stage): void {
  seen = stage;
}

/** The object at a place of the page that may be replaced; null for none. */
export function replaceableAt(x: number, y: number): string | null {
  const here = activityHere.peek();
  if (!seen || !here || !activeTraits().editsActivities) return null;
  if (document.elementFromPoint(x, y) !== seen.canvas) return null;
  const edge = seen.canvas.getBoundingClientRect();
  const found = pick(seen, x - edge.left, y - edge.top);
  if (found.kind === "handle") return replaceable(found.name.split(" at frame ")[0] ?? "");
  const prop = "point" in found ? found.point.character : undefined;
  return replaceable(here.objects.find((each) => each.prop === prop)?.name ?? "");
}

/** Whether there is anything on which a file can be dropped. */
export function canReplace(): boolean {
  const events = activityHere.value?.events ?? [];
  return activeTraits().editsActivities === true && events.some((each) => each.replaceable.length);
}

function replaceable(object: string): string | null {
  const events = activityHere.peek()?.events ?? [];
  return events.some((event) => event.replaceable.includes(object)) ? object : null;
}
