import { expect, test } from "vitest";
import type { JointInfo } from "../wire/messages";
import { startingJoint } from "./startingJoint";

function rig(joints: [name: string, parent: number, role: string][]) {
  return {
    joints: joints.map(([name]) => name),
    parents: joints.map(([, parent]) => parent),
    analysis: joints.map(([, , role]) => ({ role }) as JointInfo),
  };
}

const ARM: [string, number, string][] = [
  ["Body", -1, "root"],
  ["LowerArm", 0, "deform"],
  ["Knuckle", 1, "deform"],
  ["Finger", 2, "deform"],
  ["Finger_end", 3, "control"],
  ["Hand.R", 0, "control"],
];

test("a hand that moves is selected, a control of that name is not", () => {
  expect(startingJoint(rig(ARM), [1, 5, 9.5, 10, 11, 12])).toBe(2);
  const named = rig(ARM.map(([n, p, r]) => [n === "Knuckle" ? "Palm" : n, p, r]));
  expect(startingJoint(named, [1, 5, 6, 10, 11, 12])).toBe(2);
});

test("of what moves alike, the joint above is selected, but never the root", () => {
  expect(startingJoint(rig(ARM), [9.9, 5, 6, 10, 0, 0])).toBe(3);
  expect(startingJoint(rig(ARM), [10, 10, 10, 10.5, 0, 0])).toBe(1);
});
