import { beforeEach, expect, test } from "vitest";
import { constraintIcon, icon } from "../controls/icons";
import { welcome } from "../state/document";
import type { ConstraintKindInfo, FieldInfo, Welcome } from "../wire/messages";
import { kindLabel, panelFields, valueOf, withValue } from "./fields";
import { pointsOf, spanOf, withSpan } from "./kinds";
import { ofKind, otherChoices, type Here } from "./make";

function field(name: string, quantity: FieldInfo["quantity"], more: Partial<FieldInfo> = {}) {
  const shown = { label: name, help: "", unit: "", low: null, high: null, none: "" };
  const value = { choices: [], optional: false, required: true, default: null };
  return { name, quantity, ...shown, ...value, ...more } satisfies FieldInfo;
}

/** A kind that this page has no code for. */
const LEASH: ConstraintKindInfo = {
  kind: "leash",
  label: "Keep on leash",
  help: "The point stays near a place.",
  fields: [
    field("point", "point"),
    field("start", "time"),
    field("end", "time"),
    field("anchor", "position", { label: "Anchor" }),
    field("slack", "length", { label: "Slack", unit: "m", low: 0, high: 5 }),
    field("mode", "choice", { label: "Mode", choices: ["soft", "hard"] }),
    field("taut", "flag", { label: "Taut", required: false, default: true }),
    field("holder", "point", { optional: true, none: "nobody", required: false }),
  ],
};
const hand = { joint: "LeftHand", offset: [0, 0, 0] as [number, number, number] };

function here(points: Here["points"] = [hand]): Here {
  return {
    points,
    frame: 12,
    frames: [0, 48],
    chosen: false,
    rate: 24,
    scale: 1.7,
    joints: [],
    placeAt: () => [1, 2, 3],
    orientationAt: () => [1, 0, 0, 0],
    inAir: null,
  };
}

beforeEach(() => {
  welcome.value = { constraint_kinds: [LEASH] } as unknown as Welcome;
});

test("the panel of a kind is made from the server's description alone", () => {
  expect(panelFields("leash").map((each) => [each.label, each.editor])).toEqual([
    ["point", "point"],
    ["Anchor", "vector"],
    ["Slack", "number"],
    ["Mode", "choice"],
    ["Taut", "toggle"],
    ["holder", "point"],
  ]);
  expect(kindLabel("leash")).toBe("Keep on leash");
  expect(panelFields("nonsense")).toEqual([]);
});

test("a constraint of a kind without code of its own is made, read and changed", () => {
  const [choice] = otherChoices([LEASH]);
  expect(choice).toMatchObject({ id: "leash", label: "Keep on leash", needs: "select a point" });
  expect(choice!.make(here([]))).toBeNull();
  const made = choice!.make(here())!;
  expect(made).toEqual({
    kind: "leash",
    point: hand,
    start: 0,
    end: 2,
    anchor: [1, 2, 3],
    slack: 0,
    mode: "soft",
    taut: true,
    holder: null,
  });
  expect(pointsOf(made)).toEqual([hand]);
  expect(spanOf(withSpan(made, 1, 3))).toEqual([1, 3]);
  expect(valueOf(withValue(made, "slack", 0.5), "slack")).toBe(0.5);
});

test("kinds that the page makes itself are not offered twice, pins and contacts never", () => {
  const named = (kind: string) => ({ ...LEASH, kind });
  const kinds = ["pin", "contact", "distance", "region", "orientation", "leash"].map(named);
  expect(otherChoices(kinds).map((each) => each.id)).toEqual(["orientation", "leash"]);
});

test("an orientation is kept as it is now", () => {
  const kind = { ...LEASH, fields: [field("point", "point"), field("turn", "orientation")] };
  expect(ofKind(kind, here())).toMatchObject({ turn: [1, 0, 0, 0] });
});

test("a kind without an icon of its own has the icon of all constraints", () => {
  expect(constraintIcon("leash").values).toEqual(icon("constraint").values);
  expect(constraintIcon("distance").values).toEqual(icon("distance").values);
});
