import { expect, test } from "vitest";
import { jointsAbove } from "./chain";

test("a chain goes up from the held joint and leaves out joints without channels", () => {
  const channels = [0, 1, 3].map((joint) => ({ joint, kind: "rotate_x" }));
  const rig = { joints: ["root", "arm", "twist", "hand", "foot"], parents: [-1, 0, 1, 2, 0], channels };
  expect(jointsAbove(rig as never, "hand")).toEqual([3, 1, 0]);
  expect(jointsAbove(rig as never, "nobody")).toEqual([]);
});
