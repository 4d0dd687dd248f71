// Lesson 6: pour elsewhere.

import { shownKey } from "../controls/hotkey";
import { centimetres, moved, stepped } from "./checks";
import type { Lesson, Seen } from "./lesson";

const UNDO = shownKey("Ctrl+Z");
const TOOL = "activity";
const POUR = 86; // frame
const FAR = 0.08; // m
const LATER = 5; // frames
const BUTTON = { css: `[data-tool="${TOOL}"]` };

/** The hand that pours; the other one holds the cup. */
const POURS = "RightHand";
const HOLDS = "LeftHand";

function hands(now: Seen) {
  return [HOLDS, POURS].map((joint) => ({
    joint,
    offset: [0, 0, 0] as [number, number, number],
    character: now.character,
  }));
}

const pourAt = (seen: Seen) => seen.events.find(({ name }) => name === "pour")?.time ?? 0;
const retimed = (now: Seen, start: Seen) => Math.abs(pourAt(now) - pourAt(start)) * now.rate;

export const POUR_ELSEWHERE: Lesson = {
  id: "pour",
  title: "Pour elsewhere",
  opens: "biped:tea",
  steps: [
    {
      text: "Tea is poured from a pot into a cup. Choose Activity in the bar: it shows where hands and props go, and a ring wherever one can be moved at an event.",
      frame: POUR,
      target: () => BUTTON,
      done: (now) => now.tool === TOOL,
    },
    {
      text: "Drag the ring of the cup along the table, 10 cm or more. Watch the pot: it follows, and its spout stays over the cup.",
      tool: TOOL,
      frame: POUR,
      shows: hands,
      target: (now) => (now.tool === TOOL ? { handle: "cup at frame 86" } : BUTTON),
      done: (now, start) => moved(now, start, HOLDS) >= FAR && moved(now, start, POURS) >= FAR / 2,
      hint: (now, start) => {
        if (now.tool !== TOOL) return "Choose Activity in the bar first.";
        if (!stepped(now, start)) return null;
        const far = moved(now, start, HOLDS);
        if (far < 0.005)
          return `The cup did not move. Undo with ${UNDO}; its ring lies at its foot.`;
        if (moved(now, start, POURS) < FAR / 2)
          return `That moved the hand, not the cup. Undo with ${UNDO}.`;
        return `${centimetres(far)} so far. Drag the same ring a little further.`;
      },
    },
    {
      text: "Pour later: drag the flag named pour, in the row Events of the timeline, five frames or more to the right.",
      tool: TOOL,
      target: (now) => ({ event: now.events.findIndex(({ name }) => name === "pour") }),
      done: (now, start) => retimed(now, start) >= LATER - 0.5,
      hint: (now, start) => {
        if (!stepped(now, start)) return null;
        const frames = Math.round(retimed(now, start));
        if (frames === 0) return `That was another edit. Undo with ${UNDO}.`;
        return frames === 1 ? "1 frame so far." : `${frames} frames so far.`;
      },
    },
    {
      text: `Undo both with ${UNDO}: each drag is one step.`,
      done: (now, _, first) => now.done.length <= first.done.length && now.undone.length >= 2,
      hint: (now, start) => (now.done.length < start.done.length ? "One more." : null),
    },
  ],
  end: "You have moved what the motion is about, not its keys: hands, pot and gaze followed. Options at the right let the body walk to what is out of reach.",
};
