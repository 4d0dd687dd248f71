// Lesson 5: hold a puppet.

import { stepped } from "./checks";
import type { Lesson, Seen, Step } from "./lesson";

const LONG = 0.8; // s of a performance that is worth a look
const PUNCH = 30; // frame

const performed = (now: Seen, start: Seen) =>
  stepped(now, start) && now.done.at(-1) === "Puppet" && now.sections.length > 0;

function perform(text: string, isDone: Step["done"], hint: string): Step {
  return {
    text,
    tool: "puppet",
    target: (now) => ({ css: now.tool === "puppet" ? ".stage canvas" : '[data-tool="puppet"]' }),
    done: isDone,
    hint: (now, start) => {
      if (now.tool !== "puppet") return "Choose Puppet in the bar first.";
      if (!stepped(now, start)) return null;
      return performed(now, start) ? hint : "That was another edit. Press the character and move.";
    },
  };
}

export const PUPPET: Lesson = {
  id: "puppet",
  title: "Hold a puppet",
  opens: "biped",
  steps: [
    {
      text: "Choose Puppet in the bar.",
      target: () => ({ css: '[data-tool="puppet"]' }),
      done: (now) => now.tool === "puppet",
    },
    perform(
      "Press the character on its chest, as if you held it at the end of a stick, and lead it sideways for a second or more. It walks along; the release makes a take, which plays at once.",
      (now, start) => performed(now, start) && now.duration >= LONG,
      "That was short. Lead it for a second or more.",
    ),
    {
      ...perform(
        `The playhead is at frame ${PUNCH} of your take. Press the character again, lift it slowly and release it: it hangs, falls and lands. What is before the playhead stays.`,
        (now, start) => performed(now, start) && now.sections.includes("held"),
        "It was not lifted. Press it, move up by half of its height, slowly, then release it.",
      ),
      frame: PUNCH,
    },
    {
      text: "The bars named Sections, below, say what it did when. Undo takes back the last performance; under the take, in the scene, a click on what was recorded makes it again with other options.",
      target: () => ({ css: ".sheets-body" }),
      done: () => true,
      waits: true,
    },
  ],
  end: "You have performed a take. Fit keyframes, from the menu of the take, makes few keys of it that all tools edit. A phone can hold the stick, too: see the menu beside the red button.",
};
