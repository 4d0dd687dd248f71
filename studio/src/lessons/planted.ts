// Lesson 3: hips over planted feet.

import { centimetres, jointFor, moved, onFoot, slid, stepped } from "./checks";
import { shownKey } from "../controls/hotkey";
import type { Lesson, Seen } from "./lesson";

const UNDO = shownKey("Ctrl+Z");
const FAR = 0.1; // m
const STILL = 0.001; // m

const hips = (seen: Seen) => jointFor(seen, "hips");

const planted = (seen: Seen) =>
  Boolean(onFoot(seen, "contact", "left") && onFoot(seen, "contact", "right"));

/** The feet first, the hips last: the last one acts. */
function feetAndHips(now: Seen) {
  const feet = now.pointConstraints
    .filter((each) => each.kind === "contact")
    .map((each) => each.point);
  return [
    ...feet,
    { joint: hips(now), offset: [0, 0, 0] as [number, number, number], character: now.character },
  ];
}

export const PLANTED: Lesson = {
  id: "planted",
  title: "Hips over planted feet",
  opens: "biped:walk",
  steps: [
    {
      text: "The green markers are contacts: while they last, the toes stay still. Press C to add a contact to a foot without one.",
      frame: 10,
      done: planted,
      hint: () => "A foot has no contact now. Select it and press C.",
      waits: true,
    },
    {
      text: "Drag the curve of the hips sideways, 10 cm or more. Watch the foot on the ground.",
      shows: feetAndHips,
      frame: 2, // between keys, and the body stands clear of the place to drag
      tool: "tangent",
      target: (now) => ({ joint: hips(now), frame: 10 }),
      done: (now, start) =>
        planted(now) && moved(now, start, hips(now)) >= FAR && slid(now, start) <= STILL,
      hint: (now, start) => {
        if (!planted(now)) return `A foot has lost its contact. Undo with ${UNDO}.`;
        if (now.tool !== "tangent") return "Choose Motion curves in the bar first.";
        if (!stepped(now, start)) return null;
        const far = moved(now, start, hips(now));
        if (slid(now, start) > STILL)
          return `A foot slid. Undo with ${UNDO}, and drag less far down.`;
        if (far < 0.001) return "The hips did not move. Their curve is the one with the arrow.";
        return `${centimetres(far)} so far. Drag the same curve a little further, to the side.`;
      },
    },
  ],
  end: "The hips moved, the planted foot did not, to the millimetre. No key was added.",
};
