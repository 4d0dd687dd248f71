// Whether the page shows the document as it is: for tests and scripts that act and then look.

import { line } from "../wire/socket";
import * as doc from "./document";
import { held } from "./hands";
import { plantsTold } from "./plants";
import { character, frame, points, take } from "./view";

/** No hand is at it, and all that is to be seen was told. */
export function isSettled(): boolean {
  if (line.peek() !== "open" || !doc.inStep.peek() || held.peek()) return false;
  const story = doc.story.peek();
  const tried = doc.hands.peek().size + doc.liveKeys.peek().size + doc.livePoses.peek().size;
  return (
    story !== null &&
    tried === 0 &&
    curvesTold() &&
    Object.keys(story.takes).every(takeTold) &&
    plantsTold()
  );
}

/** The take that somebody plays, if any. */
function played(name: string) {
  const takes = doc.story.peek()?.takes[name] ?? [];
  return takes.find((each) => each.name === take.peek()) ?? takes[0];
}

function curvesTold(): boolean {
  return points.peek().every((spot) => {
    const told = doc.curves.peek().get(doc.spotName(spot));
    const own = played(spot.character || character.peek());
    return own ? told?.still.take === own.name && told.live === null : true;
  });
}

/** The pose at the shown frame, and the keys of the take that is worked on. */
function takeTold(name: string): boolean {
  const own = played(name);
  if (!own) return true;
  const at = doc.takeName(name, own.name);
  const keyed = own.keyed && name === character.peek() && own.name === take.peek();
  if (keyed && !doc.keys.peek().has(at)) return false;
  const last = Math.floor(own.duration * own.rate + 1e-3);
  const here = Math.min(Math.max(Math.floor(frame.peek()), 0), last);
  return Boolean(doc.poses.peek().get(at)?.frames[here]);
}
