import { expect, test } from "vitest";
import { cast } from "../state/document";
import { frameWords, jointWords, length, spotWords } from "./say";

test("joints are called what people call them", () => {
  expect(jointWords("LeftHand")).toBe("Left hand");
  expect(jointWords("mixamorig:RightUpLeg")).toBe("Right up leg");
  expect(jointWords("hand.r")).toBe("Hand r");
  expect(spotWords({ joint: "LeftHand", offset: [0, 0.1, 0] })).toBe("on left hand");
});

test("frames are whole unless they are not", () => {
  expect(frameWords(12)).toBe("frame 12");
  expect(frameWords(12.5)).toBe("frame 12.5");
});

test("lengths are said in the scene's unit", () => {
  cast.value = { type: "SceneInfo", arrays: [], model: "", rigs: [], scale: 1.7, unit: "cm" };
  expect(length(0.0312)).toBe("3.1 cm");
  expect(length(1.2)).toBe("120 cm");
  cast.value = { ...cast.value, unit: "m" };
  expect(length(1.234)).toBe("1.23 m");
});
