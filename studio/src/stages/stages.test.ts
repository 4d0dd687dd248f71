import { expect, test } from "vitest";
import {
  BEGINNING,
  STAGES,
  blocksOf,
  enter,
  isExplored,
  isOpen,
  unlock,
  visit,
  type StageProp,
} from "./stages";

const prop = (shape: StageProp["shape"], x: number): StageProp => ({
  name: shape,
  shape,
  place: [x, 0, 0],
  size: 0.4,
  visited: false,
});

test("only the first stage is open at the beginning", () => {
  expect(STAGES.filter((name) => isOpen(BEGINNING, name))).toEqual(["place"]);
  expect(enter(BEGINNING, "avatar")).toEqual(BEGINNING);
});

test("each milestone unlocks the next stage, one at a time", () => {
  let now = BEGINNING;
  for (const [i, name] of STAGES.entries()) {
    now = enter(now, name);
    expect(now.shown).toBe(name);
    expect(STAGES.filter((each) => isOpen(now, each)).length).toBe(i + 1);
    now = unlock(now);
  }
  expect(unlock(now)).toEqual(now);
});

test("going back locks nothing, and an old milestone unlocks nothing more", () => {
  const far = { shown: "virtual", furthest: "virtual" } as const;
  for (const name of STAGES) {
    const back = enter(far, name);
    expect(back).toEqual({ shown: name, furthest: "virtual" });
    expect(unlock(back).furthest).toBe("virtual");
  }
});

test("a puppet visits props that it comes near to, and they stay visited", () => {
  const props = [prop("box", 0), prop("tree", 2)];
  expect(visit(props, [5, 0, 0], 0.5)).toBe(props);
  const first = visit(props, [0.6, 1, 0], 0.5);
  expect(first.map(({ visited }) => visited)).toEqual([true, false]);
  expect(isExplored(first)).toBe(false);
  const both = visit(first, [2, 0, 0], 0.5);
  expect(isExplored(both)).toBe(true);
  expect(visit(both, [9, 0, 0], 0.5)).toBe(both);
});

test("real props are blocks to stand on, as many as an option holds", () => {
  expect(blocksOf([prop("box", 1), prop("tree", 2)])).toBe("1.00 0.00 0.40 0.40");
  const many = blocksOf(Array.from({ length: 40 }, (_, i) => prop("cylinder", i)));
  expect(many.length).toBeLessThanOrEqual(200);
  expect(many.split(";").every((each) => each.split(" ").length === 4)).toBe(true);
});

test("real props alone are not a mixed scene", () => {
  expect(isExplored([])).toBe(false);
  expect(isExplored([{ ...prop("box", 0), visited: true }])).toBe(false);
});
