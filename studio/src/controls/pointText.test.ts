import { expect, test } from "vitest";
import { sceneInfo } from "../state/document";
import { frameLabel, length, pointText } from "./pointText";

test("a point has the name of its joint, as the file has it", () => {
  expect(pointText({ joint: "mixamorig:LeftHand" })).toBe("mixamorig:LeftHand");
  expect(pointText({ joint: "LeftHand", offset: [0, 0.1, 0] })).toBe("on LeftHand");
});

test("frames are whole unless they are not", () => {
  expect(frameLabel(12)).toBe("frame 12");
  expect(frameLabel(12.5)).toBe("frame 12.5");
});

test("lengths are shown in the scene's unit", () => {
  sceneInfo.value = { type: "SceneInfo", arrays: [], model: "", rigs: [], scale: 1.7, unit: "cm" };
  expect(length(0.0312)).toBe("3.1 cm");
  expect(length(1.2)).toBe("120 cm");
  sceneInfo.value = { ...sceneInfo.value, unit: "m" };
  expect(length(1.234)).toBe("1.23 m");
});
