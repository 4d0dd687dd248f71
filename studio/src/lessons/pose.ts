// Lesson 2: pin and pose.

import { centimetres, jointFor, moved, onFoot, stepped } from "./checks";
import type { Lesson, Seen, Step } from "./lesson";

const FAR = 0.05; // m

function pin(side: "left" | "right"): Step {
  return {
    text: `Click the ${side} foot, then press P: a pin keeps its motion.`,
    target: (now) => ({ css: `[data-joint="${footJoint(now, side)}"]` }),
    frame: 6,
    done: (now) => onFoot(now, "pin", side) !== undefined,
    hint: (now, start) => wrongPin(now, start, side),
  };
}

function footJoint(now: Seen, side: string): string {
  const own = now.joints.filter((each) => each.toLowerCase().includes(side));
  return own.find((each) => /foot|ankle/i.test(each)) ?? "";
}

function wrongPin(now: Seen, start: Seen, side: string): string | null {
  if (now.pointConstraints.length > start.pointConstraints.length) {
    const last = now.pointConstraints[now.pointConstraints.length - 1];
    return last?.kind === "contact"
      ? "That is a contact, which stands still. For a pin press P."
      : `That pins ${last?.point.joint ?? "another point"}. Now the ${side} foot.`;
  }
  const chosen = now.points.some((each) => /foot|toe|ankle/i.test(each.joint));
  if (now.points === start.points || now.points.length === 0) return null;
  return chosen ? null : `Selected: ${now.points.at(-1)?.joint}. Click the ${side} foot.`;
}

const hips = (seen: Seen) => jointFor(seen, "hips");

export const POSE: Lesson = {
  id: "pose",
  title: "Pin and pose",
  opens: "biped:walk",
  steps: [
    pin("left"),
    pin("right"),
    {
      text: "Choose Pose in the bar.",
      target: () => ({ css: '[data-tool="pose"]' }),
      done: (now) => now.tool === "pose",
    },
    {
      text: "Drag the hips, 5 cm or more. The pinned feet stay.",
      shows: (now) => [{ joint: hips(now), offset: [0, 0, 0], character: now.character }],
      frame: 6,
      target: (now) => ({ joint: hips(now), frame: 6 }),
      done: (now, start) => stepped(now, start) && moved(now, start, hips(now)) >= FAR,
      hint: (now, start) => {
        if (now.tool !== "pose") return "Choose Pose in the bar first.";
        if (!stepped(now, start)) return null;
        const far = moved(now, start, hips(now));
        return far < 0.001
          ? "The hips did not move. Drag the body where the arrow points."
          : `${centimetres(far)} so far. A little more.`;
      },
    },
  ],
  end: "A pose keys the joints that moved; pins keep points in place.",
};
