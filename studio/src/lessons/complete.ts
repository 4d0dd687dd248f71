// Lesson 7: fill in between keys.

import { shownKey } from "../controls/hotkey";
import { centimetres, moved, stepped } from "./checks";
import type { Lesson } from "./lesson";

const UNDO = shownKey("Ctrl+Z");
const TOOL = "autocomplete";
const TOP = 17; // frame of the lamp's highest key
const FAR = 0.04; // m
const BUTTON = { css: `[data-tool="${TOOL}"]` };
const COMPLETE = { css: "button.whole" };

export const COMPLETE_KEYS: Lesson = {
  id: "complete",
  title: "Fill in between keys",
  opens: "lamp:hop",
  steps: [
    {
      text: "A lamp hops from a few keys. Choose Complete in the bar: bars under the keys show what it would fill in.",
      frame: TOP,
      target: () => BUTTON,
      done: (now) => now.tool === TOOL,
    },
    {
      text: "Press Complete at the right. Click through the alternatives over the view: their paths are drawn. Enter applies the one that you like.",
      tool: TOOL,
      target: (now) => (now.tool === TOOL ? COMPLETE : BUTTON),
      done: (now, start) =>
        stepped(now, start) && now.done.at(-1)?.startsWith("Complete frames") === true,
      hint: (now, start) => {
        if (now.tool !== TOOL) return "Choose Complete in the bar first.";
        return stepped(now, start) ? `That was another edit. Undo with ${UNDO}.` : null;
      },
    },
    {
      text: "Drag the shade up by 4 cm or more, at its highest key. The motion before and after follows.",
      tool: TOOL,
      frame: TOP,
      shows: (now) => [{ joint: "Shade", offset: [0, 0, 0], character: now.character }],
      target: () => ({ joint: "Shade", frame: TOP }),
      done: (now, start) => stepped(now, start) && moved(now, start, "Shade") >= FAR,
      hint: (now, start) => {
        if (!stepped(now, start)) return null;
        return `${centimetres(moved(now, start, "Shade"))} so far. Drag it a little further.`;
      },
    },
    {
      text: `Undo both with ${UNDO}: each is one step.`,
      done: (now, _, first) => now.done.length <= first.done.length && now.undone.length >= 2,
      hint: (now, start) => (now.done.length < start.done.length ? "One more." : null),
    },
  ],
  end: "Your keys stay where they are, and in-between keys are made anew whenever one of yours moves. Borders between the bars move a key in time; Keys at the right limits what is filled in.",
};
