// Lesson 1: drag an arc.

import { centimetres, easyFrame, jointFor, moved, stepped } from "./checks";
import { shownKey } from "../controls/hotkey";
import type { Lesson, Seen, Step } from "./lesson";

const UNDO = shownKey("Ctrl+Z");
const FAR = 0.05; // m

const hand = (seen: Seen) => jointFor(seen, "right hand");

const onCurve = (now: Seen) => ({ joint: hand(now), frame: easyFrame(now, hand(now)) });

function hint(now: Seen, start: Seen): string | null {
  if (now.tool !== "tangent") return "Choose Motion curves in the bar first.";
  if (!stepped(now, start)) return null;
  const far = moved(now, start, hand(now));
  return far < 0.001
    ? "Something else moved. The right hand’s curve is the one with the arrow."
    : `${centimetres(far)} so far. Pull it further, 5 cm or more.`;
}

const drag: Omit<Step, "text"> = {
  shows: (now) => [{ joint: hand(now), offset: [0, 0, 0], character: now.character }],
  tool: "tangent",
  frame: 2, // between keys, so that the arrows can be dragged, too
  target: onCurve,
  done: (now, start) => stepped(now, start) && moved(now, start, hand(now)) >= FAR,
  hint,
};

export const ARC: Lesson = {
  id: "arc",
  title: "Drag an arc",
  opens: "biped:walk",
  steps: [
    {
      ...drag,
      text: "This curve is the path of the right hand. Drag it where the arrow points, 5 cm or more.",
    },
    {
      text: `Undo with ${UNDO}: the curve returns exactly.`,
      // curves arrive before the step that changed them: both must be as they were
      done: (now, _, first) =>
        now.done.length <= first.done.length && moved(now, first, hand(now)) < 1e-5,
      hint: (now, start) => {
        if (stepped(now, start)) return `That was one more edit. Each ${UNDO} undoes one.`;
        return now.done.length < start.done.length
          ? "And once more: there was an earlier drag."
          : null;
      },
    },
    { ...drag, text: "Once more: drag the curve again, another way this time." },
  ],
  end: "You shaped a motion without touching a key. Every curve can be dragged like this, also while it plays.",
};
