import { expect, test } from "vitest";
import { jointRows } from "./jointRows";

const tree = {
  joints: ["Hips", "Spine", "Chest", "Shoulder", "Arm", "Hand", "Thumb", "Leg"],
  parents: [-1, 0, 1, 2, 3, 4, 5, 0],
};
const none = new Set<string>();
const names = (rows: { joint: number }[]) => rows.map((row) => tree.joints[row.joint]);

test("deep joints begin folded", () => {
  expect(names(jointRows(tree, none, none, ""))).toEqual([
    "Hips",
    "Spine",
    "Chest",
    "Shoulder",
    "Arm",
    "Leg",
  ]);
});

test("a joint that was turned shows what is below it, or hides it", () => {
  expect(names(jointRows(tree, new Set(["Arm"]), none, ""))).toContain("Hand");
  expect(names(jointRows(tree, new Set(["Spine"]), none, ""))).toEqual(["Hips", "Spine", "Leg"]);
});

test("a selected joint is always seen", () => {
  expect(names(jointRows(tree, new Set(["Spine"]), new Set(["Thumb"]), ""))).toContain("Thumb");
});

test("a filter shows what matches and the way to it", () => {
  expect(names(jointRows(tree, none, none, "thu"))).toEqual([
    "Hips",
    "Spine",
    "Chest",
    "Shoulder",
    "Arm",
    "Hand",
    "Thumb",
  ]);
  expect(names(jointRows(tree, none, none, "leg"))).toEqual(["Hips", "Leg"]);
  expect(jointRows(tree, none, none, "wing")).toEqual([]);
});
