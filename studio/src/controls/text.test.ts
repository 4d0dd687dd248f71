import { expect, test } from "vitest";
import {
  actorLabel,
  counted,
  degrees,
  frameRange,
  length,
  number,
  sentence,
  shortName,
  size,
  takeLabels,
  withoutSharedPrefix,
} from "./text";

test("names become sentences", () => {
  expect(sentence("auto_clamped")).toBe("Auto clamped");
  expect(sentence("LeftFoot")).toBe("Left foot");
});

test("lengths are shown in the scene's unit", () => {
  expect(length(0.0304, "cm")).toBe("3.0 cm");
  expect(length(1.25, "m")).toBe("1.250 m");
});

test("nothing is minus zero", () => {
  expect(number(-0.00001, 2)).toBe("0.00");
});

test("a range is shown in frames", () => {
  expect(frameRange(0.125, 0.5, 24)).toBe("3–12");
  expect(frameRange(0.5, 0.5, 24)).toBe("12");
});

test("angles are degrees", () => {
  expect(degrees(Math.PI)).toBe(180);
});

test("a count of one is singular", () => {
  expect(counted(1, "step")).toBe("1 step");
  expect(counted(12, "step")).toBe("12 steps");
});

test("sizes are short", () => {
  expect(size(812)).toBe("812 B");
  expect(size(48_200)).toBe("48 kB");
  expect(size(3_410_000)).toBe("3.4 MB");
});

test("a prefix that all names share is left out, as of actions exported with their armature", () => {
  expect(withoutSharedPrefix(["Rig|Walk", "Rig|Run"])).toEqual(["Walk", "Run"]);
  expect(withoutSharedPrefix(["Rig|Walk", "Other|Run"])).toEqual(["Rig|Walk", "Other|Run"]);
  expect(withoutSharedPrefix(["Rig|Walk", "Rig|"])).toEqual(["Rig|Walk", "Rig|"]);
  expect(withoutSharedPrefix(["Walk"])).toEqual(["Walk"]);
  expect(withoutSharedPrefix(["Rig|Walk", "Rig|Run", "performance"])).toEqual([
    "Walk",
    "Run",
    "performance",
  ]);
  expect(withoutSharedPrefix(["Rig|Walk", "Walk"])).toEqual(["Rig|Walk", "Walk"]);
  expect(withoutSharedPrefix([])).toEqual([]);
  expect(shortName("Rig|Run", ["Rig|Walk", "Rig|Run"])).toBe("Run");
  expect(shortName("Rig|Fly", ["Rig|Walk", "Rig|Run"])).toBe("Rig|Fly");
});

test("a character that its exporter did not name has the name of its document", () => {
  expect(actorLabel("RootNode", "Wolf", true)).toBe("Wolf");
  expect(actorLabel("Z_UP", "CesiumMan.arc.glb", true)).toBe("CesiumMan");
  expect(actorLabel("RootNode", "Wolf", false)).toBe("RootNode");
  expect(actorLabel("biped", "biped:walk", true)).toBe("biped");
});

test("takes have readable names, and the only one does not repeat that of its character", () => {
  const takes = (...names: string[]) => names.map((name) => ({ name, baked: true }));
  expect(takeLabels(takes("02_01"), "02_01")).toEqual(["Capture"]);
  expect(takeLabels(takes("animation_0"), "Z_UP")).toEqual(["Capture"]);
  expect(takeLabels(takes("Arm|TRex_Run", "Arm|TRex_Jump"), "RootNode")).toEqual([
    "TRex Run",
    "TRex Jump",
  ]);
  expect(takeLabels(takes("a_b", "a b"), "x")).toEqual(["a_b", "a b"]);
});
