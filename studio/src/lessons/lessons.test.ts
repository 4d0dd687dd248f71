import { expect, test } from "vitest";
import type { MotionCurve } from "../state/document";
import type { PointConstraintInfo } from "../state/pinsAndContacts";
import { ARC } from "./arc";
import { easyFrame, moved, onFoot, slid, standing } from "./checks";
import type { Lesson, Seen } from "./lesson";
import { LOOP } from "./loop";
import { PLANTED } from "./planted";
import { POSE } from "./pose";
import { COMPLETE_KEYS } from "./complete";
import { POUR_ELSEWHERE } from "./pour";
import { PUPPET } from "./puppet";

function curve(joint: string, ...heights: number[]): MotionCurve {
  return {
    character: "biped",
    take: "walk",
    point: { joint, offset: [0, 0, 0], character: "biped" },
    perFrame: 1,
    positions: new Float32Array(
      heights.flatMap((height, i) => [/Foot|Toes/.test(joint) ? 0 : i, height, 0]),
    ),
    orientations: new Float32Array(),
    speeds: new Float32Array(),
    keys: [0, 1, 3],
  };
}

function pointConstraint(kind: "pin" | "contact", joint: string): PointConstraintInfo {
  const point = { joint, offset: [0, 0, 0] as [number, number, number], character: "biped" };
  return {
    kind,
    index: 0,
    name: joint,
    point,
    start: 0,
    end: 1,
    position: true,
    orientation: false,
    relative_to: null,
    take: "walk",
  };
}

const still: Seen = {
  character: "biped",
  take: "walk",
  tool: "tangent",
  rate: 1,
  points: [],
  done: [],
  undone: [],
  pointConstraints: [],
  joints: ["Hips", "RightHand", "LeftFoot", "RightFoot"],
  curves: [curve("RightHand", 0, 0, 0, 0), curve("Hips", 1, 1, 1, 1)],
  duration: 1,
  sections: [],
  events: [],
};

function step(lesson: Lesson, at: number, now: Seen, start: Seen = still, first: Seen = start) {
  const info = lesson.steps[at];
  if (!info) throw new Error("no such step");
  return { done: info.done(now, start, first), hint: info.hint?.(now, start, first) ?? null };
}

const raised = (height: number): Seen => ({
  ...still,
  done: ["Drag RightHand"],
  curves: [curve("RightHand", 0, height, 0, 0), curve("Hips", 1, 1, 1, 1)],
});

test("an arc counts from five centimetres", () => {
  expect(step(ARC, 0, still)).toEqual({ done: false, hint: null });
  expect(step(ARC, 0, raised(0.03)).done).toBe(false);
  expect(step(ARC, 0, raised(0.03)).hint).toContain("3.0 cm so far");
  expect(step(ARC, 0, raised(0.06)).done).toBe(true);
});

test("the arc of another joint does not count, and a hint says so", () => {
  const other: Seen = {
    ...still,
    done: ["Drag Hips"],
    curves: [curve("RightHand", 0, 0, 0, 0), curve("Hips", 1, 2, 1, 1)],
  };
  expect(step(ARC, 0, other).done).toBe(false);
  expect(step(ARC, 0, other).hint).toContain("right hand");
});

test("undo counts when the curve is where it was", () => {
  expect(step(ARC, 1, { ...still, undone: ["Drag RightHand"] }, raised(0.06), still).done).toBe(
    true,
  );
  expect(step(ARC, 1, raised(0.06), raised(0.06), still).done).toBe(false);
});

test("each foot needs a pin of its own, and a contact is none", () => {
  const left: Seen = { ...still, pointConstraints: [pointConstraint("pin", "LeftFoot")] };
  expect(step(POSE, 0, left).done).toBe(true);
  expect(step(POSE, 1, left, left).done).toBe(false);
  expect(
    step(POSE, 0, { ...still, pointConstraints: [pointConstraint("contact", "LeftFoot")] }).hint,
  ).toContain("press P");
});

test("the pose counts when the hips moved with the right tool", () => {
  const posing = { ...still, tool: "pose" };
  const lower: Seen = { ...posing, done: ["Pose Hips"], curves: [curve("Hips", 1, 0.9, 1, 1)] };
  expect(step(POSE, 2, posing).done).toBe(true);
  expect(step(POSE, 3, lower, posing).done).toBe(true);
  expect(step(POSE, 3, still, posing).hint).toContain("Pose");
});

const feet = [pointConstraint("contact", "LeftFoot"), pointConstraint("contact", "RightFoot")];
const stands: Seen = {
  ...still,
  pointConstraints: feet,
  curves: [
    curve("LeftFoot", 0, 0, 0, 0),
    curve("RightFoot", 0, 0, 0, 0),
    curve("Hips", 1, 1, 1, 1),
  ],
};

test("hips over planted feet counts when the feet stayed", () => {
  const lower = (foot: number): Seen => ({
    ...stands,
    done: ["Drag Hips"],
    curves: [
      curve("LeftFoot", 0, foot, 0, 0),
      curve("RightFoot", 0, 0, 0, 0),
      curve("Hips", 1, 0.88, 1, 1),
    ],
  });
  expect(step(PLANTED, 0, stands).done).toBe(true);
  expect(step(PLANTED, 0, still).done).toBe(false);
  expect(step(PLANTED, 1, lower(0.0004), stands).done).toBe(true);
  expect(step(PLANTED, 1, lower(0.004), stands).done).toBe(false);
  expect(step(PLANTED, 1, lower(0.004), stands).hint).toContain("slid");
});

test("a foot may move where it is not in contact", () => {
  const later: Seen = {
    ...stands,
    curves: [curve("LeftFoot", 0, 0, 0.3, 0), ...stands.curves.slice(1)],
  };
  expect(slid(later, stands)).toBe(0);
  expect(moved(later, stands, "LeftFoot")).toBeCloseTo(0.3);
});

test("a foot that slid before the edit, and was not touched by it, does not count", () => {
  const loose = {
    ...stands,
    curves: [curve("LeftFoot", 0, 0.003, 0, 0), ...stands.curves.slice(1)],
  };
  expect(slid(loose, loose)).toBe(0);
  const mended = {
    ...loose,
    curves: [curve("LeftFoot", 0, 0.0002, 0, 0), ...stands.curves.slice(1)],
  };
  expect(slid(mended, loose)).toBeCloseTo(0.0002);
});

test("feet are known by the names that rigs use", () => {
  expect(
    onFoot(
      { ...still, pointConstraints: [pointConstraint("contact", "LeftToes")] },
      "contact",
      "left",
    ),
  ).toBeDefined();
  expect(
    onFoot(
      { ...still, pointConstraints: [pointConstraint("contact", "foot_right")] },
      "contact",
      "right",
    ),
  ).toBeDefined();
  expect(
    onFoot(
      { ...still, pointConstraints: [pointConstraint("contact", "LeftHand")] },
      "contact",
      "left",
    ),
  ).toBeUndefined();
});

test("the arrow points where the curve travels farthest between two keys", () => {
  expect(easyFrame(still, "RightHand")).toBe(2);
});

const loops: Seen = {
  ...still,
  tool: "cycle",
  joints: [...still.joints, "LeftToes"],
  curves: [curve("RightHand", 0, 0, 0, 0), curve("LeftToes", 0, 0, 0, 0)],
};
const after = (label: string, joint: string, ...heights: number[]): Seen => ({
  ...loops,
  done: [label],
  curves: loops.curves.map((each) =>
    each.point.joint === joint ? curve(joint, ...heights) : each,
  ),
});

test("an acted wave counts, a dragged one does not, and a small one gets a hint", () => {
  expect(step(LOOP, 0, loops).done).toBe(true);
  expect(step(LOOP, 1, after("Perform RightHand", "RightHand", 0, 0.2, 0, 0), loops).done).toBe(
    true,
  );
  const dragged = step(LOOP, 1, after("Shape loop", "RightHand", 0, 0.2, 0, 0), loops);
  expect([dragged.done, dragged.hint]).toEqual([false, expect.stringContaining("another edit")]);
  const small = step(LOOP, 1, after("Perform RightHand", "RightHand", 0, 0.02, 0, 0), loops);
  expect([small.done, small.hint]).toEqual([false, expect.stringContaining("2.0 cm")]);
});

test("a shaped loop counts, one that was acted again does not", () => {
  expect(step(LOOP, 2, after("Shape loop", "RightHand", 0, 0.1, 0, 0), loops).done).toBe(true);
  expect(step(LOOP, 2, after("Perform RightHand", "RightHand", 0, 0.1, 0, 0), loops).done).toBe(
    false,
  );
});

test("a foot is planted where it stands for a part of its loop", () => {
  const round = after("Contact", "LeftToes", 0.1, 0.02, 0, 0.02, 0.1, 0.2, 0.3, 0.2, 0.15);
  const flat = after("Contact", "LeftToes", 0, 0, 0, 0.001, 0.1, 0.2, 0.1, 0);
  expect(standing(round.curves[1])).toBe(0);
  expect(standing(flat.curves[1])).toBeCloseTo(3 / 7);
  expect(standing(loops.curves[1])).toBe(0); // it stands all the time
  expect(step(LOOP, 3, round, loops).done).toBe(false);
  expect(step(LOOP, 3, flat, loops).done).toBe(true);
  expect(step(LOOP, 3, { ...flat, done: ["Shape loop"] }, loops).hint).toContain("Press D");
});

test("a puppet counts once it was led for a while, and once it was lifted", () => {
  const puppet: Seen = { ...still, tool: "puppet" };
  const led = (duration: number, ...sections: string[]): Seen => ({
    ...puppet,
    done: ["Puppet"],
    duration,
    sections,
  });
  expect(step(PUPPET, 0, puppet).done).toBe(true);
  expect(step(PUPPET, 1, led(2, "locomotion"), puppet).done).toBe(true);
  const short = step(PUPPET, 1, led(0.3, "locomotion"), puppet);
  expect([short.done, short.hint]).toEqual([false, expect.stringContaining("short")]);
  const other = step(PUPPET, 1, { ...puppet, done: ["Drag Hips"] }, puppet);
  expect([other.done, other.hint]).toEqual([false, expect.stringContaining("another edit")]);
  expect(step(PUPPET, 2, led(2, "locomotion"), puppet).hint).toContain("not lifted");
  expect(step(PUPPET, 2, led(2, "locomotion", "held", "fall"), puppet).done).toBe(true);
});

const tea = (cup: number, pot: number, frame: number, done: string[], undone: string[]): Seen => ({
  ...still,
  tool: "activity",
  rate: 30,
  curves: [curve("LeftHand", cup, cup), curve("RightHand", pot, pot)],
  events: [
    { name: "lift", time: 1 },
    { name: "pour", time: frame / 30 },
  ],
  done,
  undone,
});

test("pouring elsewhere needs the cup moved and the pot along with it", () => {
  const start = tea(0, 0, 60, [], []);
  const drag = (cup: number, pot: number) =>
    step(POUR_ELSEWHERE, 1, tea(cup, pot, 60, ["Move"], []), start);
  expect(drag(0.1, 0.08).done).toBe(true);
  expect(drag(0.1, 0)).toMatchObject({ done: false, hint: expect.stringContaining("not the cup") });
  expect(drag(0.05, 0.05)).toMatchObject({ done: false, hint: expect.stringContaining("5.0 cm") });
  expect(drag(0, 0).hint).toContain("did not move");
  expect(step(POUR_ELSEWHERE, 1, start, start).hint).toBeNull();
});

test("pouring later needs five frames, and two undone steps end the lesson", () => {
  const first = tea(0, 0, 60, [], []);
  const start = tea(0.1, 0.1, 60, ["Move"], []);
  const later = (frame: number) => tea(0.1, 0.1, frame, ["Move", "Retime"], []);
  expect(step(POUR_ELSEWHERE, 2, later(65), start, first).done).toBe(true);
  expect(step(POUR_ELSEWHERE, 2, later(63), start, first)).toEqual({
    done: false,
    hint: "3 frames so far.",
  });
  const half = tea(0.1, 0.1, 60, ["Move"], ["Retime"]);
  expect(step(POUR_ELSEWHERE, 3, half, later(65), first)).toEqual({
    done: false,
    hint: "One more.",
  });
  const none = tea(0, 0, 60, [], ["Retime", "Move"]);
  expect(step(POUR_ELSEWHERE, 3, none, later(65), first).done).toBe(true);
});

test("filling in needs a completion, then a key that is dragged far enough", () => {
  const seen = (shade: number, ...done: string[]): Seen => ({
    ...still,
    tool: "autocomplete",
    curves: [curve("Shade", shade, shade)],
    done,
  });
  const start = seen(0);
  expect(step(COMPLETE_KEYS, 0, start).done).toBe(true);
  expect(step(COMPLETE_KEYS, 1, seen(0, "Complete frames 0-36"), start).done).toBe(true);
  const other = step(COMPLETE_KEYS, 1, seen(0, "Drag Shade"), start);
  expect([other.done, other.hint]).toEqual([false, expect.stringContaining("another edit")]);
  const first = seen(0, "Complete frames 0-36");
  const both = ["Complete frames 0-36", "Complete frames 0-36"];
  expect(step(COMPLETE_KEYS, 2, seen(0.05, ...both), first).done).toBe(true);
  expect(step(COMPLETE_KEYS, 2, seen(0.02, ...both), first).hint).toContain("2.0 cm");
});
