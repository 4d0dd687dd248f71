import { expect, test } from "vitest";
import { eventLabels } from "./eventLabel";

test("names of events that begin alike differ in their shortest form", () => {
  expect(eventLabels("right hand turns chest high")).toEqual([
    "right hand turns chest high",
    "R hand turns chest high",
    "turns chest high",
  ]);
});

test("names that begin with no limb have one form", () => {
  expect(eventLabels("grab pot")).toEqual(["grab pot"]);
  expect(eventLabels("left of the table")).toEqual(["left of the table"]);
});
