// Whether the page is up to date with the document: for tests and scripts.

import { line } from "../wire/socket";
import * as doc from "./document";
import { committing, interaction } from "./interaction";
import { footplantsLoaded } from "./footplants";
import { proposedEventsLoaded } from "./proposedEvents";
import { restOverlaysLoaded } from "./restOverlays";
import { soundLoaded } from "./sound";
import { ownFrame, takePlayed } from "./shownTakes";
import { character, frame, points, take } from "./view";

/** No interaction is in progress, and everything that is shown is loaded. */
export function isUpToDate(): boolean {
  if (line.peek() !== "open" || !doc.inStep.peek() || interaction.peek()) return false;
  if (committing.peek().size > 0) return false; // released, but the step is on its way
  const documentState = doc.documentState.peek();
  const tried = doc.previews.peek().size + doc.liveKeys.peek().size + doc.livePoses.peek().size;
  return (
    documentState !== null &&
    tried === 0 &&
    curvesLoaded() &&
    Object.keys(documentState.takes).every(takeLoaded) &&
    footplantsLoaded() &&
    proposedEventsLoaded() &&
    restOverlaysLoaded() &&
    soundLoaded()
  );
}

function curvesLoaded(): boolean {
  return points.peek().every((point) => {
    const info = doc.curves.peek().get(doc.pointKey(point));
    const own = takePlayed(point.character || character.peek());
    return own ? info?.still.take === own.name && info.live === null : true;
  });
}

/** The pose at the shown frame, and the keys of the take that is worked on. */
function takeLoaded(name: string): boolean {
  const own = takePlayed(name);
  if (!own) return true;
  const at = doc.takeName(name, own.name);
  const keyed = own.keyed && name === character.peek() && own.name === take.peek();
  if (keyed && !doc.keys.peek().has(at)) return false;
  const last = Math.floor(own.duration * own.rate + 1e-3);
  const here = Math.min(Math.max(Math.floor(ownFrame(name, frame.peek())), 0), last);
  return Boolean(doc.poses.peek().get(at)?.frames[here]);
}
