import { expect, test } from "vitest";
import type { OptionInfo } from "../wire/messages";
import { channelMeasure, fieldOf, measureOf, shown, typed, clamped, within } from "./field";

const floor: OptionInfo = {
  name: "floor",
  label: "Floor height",
  kind: "float",
  default: null,
  help: "how low",
  unit: "m",
  low: -1,
  high: 2,
  choices: [],
  optional: true,
};

test("a length is shown in the scene's unit and sent in metres", () => {
  const field = fieldOf(floor, "cm", 24);
  expect(field.label).toBe("Floor height");
  expect(field.measure.unit).toBe("cm");
  expect([field.low, field.high]).toEqual([-100, 200]);
  expect(shown(0.125, field.measure)).toBe("12.5");
  expect(typed("12.5", field.measure)).toBeCloseTo(0.125);
});

test("a rotation is shown in degrees and sent in radians", () => {
  const measure = channelMeasure("rotate_x", "cm");
  expect(shown(Math.PI / 2, measure)).toBe("90.0");
  expect(typed("90", measure)).toBeCloseTo(Math.PI / 2);
});

test("numbers stay within their range, whole ones whole", () => {
  const whole = measureOf("", "m", true);
  expect(typed("9.6", whole, 0, 8)).toBe(8);
  expect(typed("3.4", whole)).toBe(3);
});

test("a unit or a comma that was typed does no harm", () => {
  const measure = measureOf("m", "cm");
  expect(typed("3,5 cm", measure)).toBeCloseTo(0.035);
  expect(typed("45°", channelMeasure("rotate_z", "m"))).toBeCloseTo(Math.PI / 4);
});

test("nothing is no limit, and nonsense is refused", () => {
  const measure = measureOf("m", "m");
  expect(typed("  ", measure)).toBeNull();
  expect(typed("far", measure)).toBeUndefined();
  expect(shown(null, measure)).toBe("");
});

test("time is shown in frames of the take and sent in seconds", () => {
  const { measure, label } = fieldOf(
    { ...floor, name: "knot_spacing", label: "", unit: "s", low: 0.02, high: 2 },
    "cm",
    30,
  );
  expect(label).toBe("Knot spacing"); // from the name where the server gives no label
  expect(shown(0.1, measure)).toBe("3.0");
  expect(typed("6 fr", measure)).toBeCloseTo(0.2);
});

test("what is shown and accepted is what is used", () => {
  const spacing = {
    name: "spacing",
    kind: "float",
    default: 0.07,
    help: "",
    unit: "s",
    low: 0.02,
    high: 2,
  } as OptionInfo;
  const field = within(fieldOf(spacing, "m", 24), { spacing: [2, 4.8] });
  expect([field.low, field.high]).toEqual([2, 4.8]);
  expect(shown(clamped(field, 0.07), field.measure)).toBe("2.0");
  expect(shown(clamped(field, 1), field.measure)).toBe("4.8");
  expect(typed("1", field.measure, field.low, field.high)).toBeCloseTo(2 / 24);
  const finer = within(fieldOf(spacing, "m", 120), { spacing: [2, 72] });
  expect(shown(clamped(finer, 0.07), finer.measure)).toBe("8");
  expect([finer.low, finer.high]).toEqual([2.4, 72]); // of both, the narrower
  expect(within(fieldOf({ ...spacing, name: "ramp" }, "m", 24), { spacing: [2, 4.8] }).high).toBe(
    48,
  );
});
