// Lesson 8: compose a shot.

import { shownKey } from "../controls/hotkey";
import { stepped } from "./checks";
import type { Lesson, Seen } from "./lesson";

const UNDO = shownKey("Ctrl+Z");
const TOOL = "flow";
const BUTTON = { css: `[data-tool="${TOOL}"]` };
const STRENGTH = { css: '[data-layer="0"] input[type="range"]' };

export const COMPOSE: Lesson = {
  id: "compose",
  title: "Compose a shot",
  opens: "lamp",
  steps: [
    {
      text: "One line can lead the whole picture. Choose Compose in the bar: grey lines show what the eye follows.",
      target: () => BUTTON,
      done: (now) => now.tool === TOOL,
    },
    {
      text: "Draw a line from the foot of the lamp upwards, leaning to one side. The lamp leans into it and stays where it stands.",
      tool: TOOL,
      frame: 0, // a lamp that hops would leave the line
      target: (now) => (now.tool === TOOL ? null : BUTTON),
      done: (now, start) => stepped(now, start) && last(now) === "Flow stroke",
      hint: (now, start) => {
        if (now.tool !== TOOL) return "Choose Compose in the bar first.";
        return stepped(now, start) ? `That was another edit. Undo with ${UNDO}.` : null;
      },
    },
    {
      text: "The stroke is a layer at the right. Slide its strength to about half.",
      tool: TOOL,
      target: () => STRENGTH,
      done: (now, start) => stepped(now, start) && last(now) === "Change flow",
    },
    {
      text: `Undo both with ${UNDO}: each is one step.`,
      done: (now, _, first) => now.done.length <= first.done.length && now.undone.length >= 2,
      hint: (now, start) => (now.done.length < start.done.length ? "One more." : null),
    },
  ],
  end: "More strokes are more layers. A circle places a centre that everything leads to, and Compare with before shows the picture as it was beside it.",
};

function last(now: Seen): string | undefined {
  return now.done.at(-1);
}
