// Activity: moves a hand or prop at an event, or the event itself; what belongs together follows.

import { activityHere, elementAt, eventNear, eventText, isProp, rateOf } from "../state/activities";
import type { PointRef } from "../wire/messages";
import type { Refusal } from "./shared/refusal";
import type { ToolFile } from "./shared/tool";

export const tool: ToolFile = {
  name: "activity",
  verbs: ["move", "turn"],
  hint: () =>
    activityHere.value
      ? "Drag a ring, a prop or a hand; drag an event on the timeline for time"
      : "No activity yet: detect events or begin one in the panel at the right",
  refusal,
  overlays: { constraints: false, footplants: false },
  panel: {
    groups: [
      { title: "Result", options: ["result", "tolerance", "method"] },
      { title: "Body", options: ["body_follows", "look_at", "stay_clear", "out_of_reach"] },
    ],
    choices: {
      out_of_reach: { try: "Stretch" },
      result: { keys: "Key poses" },
    },
  },
  mouse: [
    ["drag a ring", "moves that hand or prop at that event; what belongs to it follows"],
    ["drag a prop or a hand", "moves it at its nearest event"],
    ["click a ring", "goes to its event"],
    ["R, then drag", "rotates the selected prop or hand at its nearest event"],
    ["drag an event on the timeline", "retimes it"],
    ["right-click an event on the timeline", "renames or removes it"],
    ["drag a detected event on the timeline", "moves it before it is accepted"],
    ["drop a file on a prop", "swaps it"],
    ["X, Y, Z while dragging", "locks an axis"],
    ["Esc or right button", "cancels the drag"],
  ],
  editsBakedMotion: true,
  drawsAtRest: true,
  editsActivities: true,
  subject: () => {
    const here = activityHere.value;
    return here && { character: here.character, take: here.take };
  },
  frameAt: (point, at, nearest) => eventFrame(point, at) ?? nearest,
};

/** The frame of the event that a drag of a point edits; null where there is none. */
function eventFrame(point: PointRef, at: number): number | null {
  const here = activityHere.peek();
  const element = here && elementAt(here, point);
  if (!here || !element) return null;
  const event = here.events[eventNear(here, element, at / rateOf(here))];
  return event ? Math.round(event.time * rateOf(here)) : null;
}

function refusal(point: PointRef, at: number): Refusal | null {
  const here = activityHere.value;
  const other = { press: "Use Spacetime edit", tool: "spacetime" };
  if (!here) return { text: "This take has no activity yet.", ...other };
  const element = elementAt(here, point);
  const actor = point.character ?? "";
  if (element === null && isProp(actor))
    return { text: `${actor} takes no part in ${here.name} yet: ⋯ of Events adds it.`, ...other };
  if (element === null) return { text: `Nothing of the activity ${here.name} is here.`, ...other };
  if (eventFrame(point, at) !== null) return null;
  const own = here.events.flatMap((each, i) =>
    each.elements.includes(element) ? [eventText(here, i)] : [],
  );
  return { text: `The ${element} may not be moved at ${own.join(", ")}.`, ...other };
}
