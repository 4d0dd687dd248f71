import { expect, test } from "vitest";
import { jointsAbove } from "./chain";

test("a chain goes up from the held point and leaves out joints that cannot move it", () => {
  const channels = [0, 1, 3].map((joint) => ({ joint, kind: "rotate_x" }));
  const rig = {
    joints: ["root", "arm", "twist", "hand", "foot"],
    parents: [-1, 0, 1, 2, 0],
    channels,
  };
  expect(jointsAbove(rig as never, { joint: "hand", offset: [0, 0.1, 0] })).toEqual([3, 1, 0]);
  expect(jointsAbove(rig as never, { joint: "hand", offset: [0, 0, 0] })).toEqual([1, 0]);
  expect(jointsAbove(rig as never, { joint: "nobody", offset: [0, 0, 0] })).toEqual([]);
});
