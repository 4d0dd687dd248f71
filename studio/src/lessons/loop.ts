// Lesson 4: act a loop.

import { centimetres, curveOf, jointFor, moved, standing, stepped } from "./checks";
import { shownKey } from "../controls/hotkey";
import type { Lesson, Seen, Step } from "./lesson";

const RECORD = shownKey("Shift+Space");
const FAR = 0.05; // m
const STANDS = 0.1; // of the loop, that a planted foot stands

const hand = (seen: Seen) => jointFor(seen, "right hand");
const toes = (seen: Seen) => jointFor(seen, "left toes");

const point = (now: Seen, joint: string) => [
  { joint, offset: [0, 0, 0] as [number, number, number], character: now.character },
];

const lastStep = (now: Seen) => now.done.at(-1) ?? "";

/** Whether a joint was acted since a step began. */
function acted(now: Seen, start: Seen, joint: string): boolean {
  const isPerformed = stepped(now, start) && /^Perform/.test(lastStep(now));
  return isPerformed && moved(now, start, joint) >= FAR;
}

function act(joint: (seen: Seen) => string, text: string): Step {
  return {
    text,
    tool: "cycle",
    frame: 0,
    shows: (now) => point(now, joint(now)),
    target: () => ({ css: ".record-button" }),
    done: (now, start) => acted(now, start, joint(now)),
    hint: (now, start) => {
      if (now.tool !== "cycle") return "Choose Motion cycle in the bar first.";
      if (!stepped(now, start)) return null;
      if (!/^Perform/.test(lastStep(now)))
        return `That was another edit. Record with ${RECORD} or the red button.`;
      return `Only ${centimetres(moved(now, start, joint(now)))} of movement. Act it larger.`;
    },
  };
}

export const LOOP: Lesson = {
  id: "loop",
  title: "Act a loop",
  opens: "biped:walk",
  steps: [
    {
      text: "Choose Motion cycle in the bar.",
      target: () => ({ css: '[data-tool="cycle"]' }),
      done: (now) => now.tool === "cycle",
    },
    act(
      hand,
      `The walk goes on while you act a wave with the right hand: press ${RECORD}, wait for the count-in, then move the mouse up and down over the viewport, four times or more, once a step of the right foot. ${RECORD} stops, Enter keeps the loop.`,
    ),
    {
      text: "Shape it: drag the curve of the hand away from its path, 5 cm or more; along the path you would change its timing. The loop stays closed.",
      tool: "cycle",
      frame: 0,
      shows: (now) => point(now, hand(now)),
      target: (now) => ({ joint: hand(now), frame: 0 }),
      done: (now, start) =>
        stepped(now, start) && !acted(now, start, hand(now)) && moved(now, start, hand(now)) >= FAR,
      hint: (now, start) => {
        if (!stepped(now, start)) return null;
        const far = moved(now, start, hand(now));
        return far < 0.001
          ? "Something else moved. The right hand’s curve is the one with the arrow."
          : `${centimetres(far)} so far. Pull it further, 5 cm or more.`;
      },
    },
    {
      text: "Plant a foot: press D, then draw a line along the ground, through the lowest part of this curve of the left toes. Where they meet the line they stand still, and the body travels to match.",
      tool: "cycle",
      frame: 0,
      shows: (now) => point(now, toes(now)),
      target: (now) => ({ joint: toes(now), frame: 0 }),
      done: (now, start) =>
        lastStep(now) === "Contact" &&
        stepped(now, start) &&
        standing(curveOf(now, toes(now))) >= STANDS,
      hint: (now, start) => {
        if (!stepped(now, start)) return null;
        return lastStep(now) === "Contact"
          ? "The line met too little of the curve. Undo, and draw it a little higher."
          : "That was another edit. Press D first, then draw the line.";
      },
    },
  ],
  end: "You acted, shaped and planted a loop. Gamepads, phones and VR controllers record, too: see the menu beside the red button.",
};
