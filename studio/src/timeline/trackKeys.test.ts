import { expect, test } from "vitest";
import { byChannel, follow, keyName, pairsOf } from "./trackKeys";

function rows(...keys: [number, number][]): Float32Array {
  return new Float32Array(keys.flatMap(([time, value]) => [time, value, 0, 0, 0, 0, 0, 0, 0]));
}

const still = rows([0, 1], [1, 2], [2, 3], [3, 4]);

test("names of keys are read back", () => {
  expect(pairsOf([keyName(12, 3), keyName(0, 0)])).toEqual([
    [12, 3],
    [0, 0],
  ]);
  expect(byChannel(["4/1", "4/2", "7/0"])).toEqual(
    new Map([
      [4, new Set([1, 2])],
      [7, new Set([0])],
    ]),
  );
});

test("a key that passes another one is followed", () => {
  const { now, fresh } = follow(still, rows([0, 1], [2, 3], [2.5, 2], [3, 4]), new Set([1]));
  expect([...now]).toEqual([0, 2, 1, 3]);
  expect(fresh).toEqual([]);
});

test("a key that replaces another one stays the chosen one", () => {
  const { now } = follow(still, rows([0, 1], [2, 2], [3, 4]), new Set([1]));
  expect([...now]).toEqual([0, 1, -1, 2]);
});

test("keys that change value only are followed", () => {
  const { now } = follow(still, rows([0, 1], [1, 9], [2, 8], [3, 4]), new Set([1]));
  expect([...now]).toEqual([0, 1, 2, 3]);
});

test("copies are fresh", () => {
  const { now, fresh } = follow(
    still,
    rows([0, 1], [1, 2], [1.5, 1], [2, 3], [3, 4]),
    new Set([0]),
  );
  expect([...now]).toEqual([0, 1, 3, 4]);
  expect(fresh).toEqual([2]);
});

test("keys that were deleted go nowhere", () => {
  const { now } = follow(still, rows([0, 1], [3, 4]), new Set([1, 2]));
  expect([...now]).toEqual([0, -1, -1, 1]);
});

test("a retimed selection is followed in order", () => {
  const { now } = follow(still, rows([0, 1], [2, 2], [4, 3], [6, 4]), new Set([1, 2, 3]));
  expect([...now]).toEqual([0, 1, 2, 3]);
});
