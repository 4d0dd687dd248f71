import { expect, test, vi } from "vitest";

vi.hoisted(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} }));

import { documentState, type MotionCurve } from "../state/document";
import { character, playRange, take } from "../state/view";
import type { Document } from "../wire/messages";
import { cellSize } from "./floor";
import { partAround, placesSeen, reachOf, sampleAt, segmentAround, stillFits } from "./motionCurve";
import { smoothed } from "./resample";

function curve(frames: number, keys: number[]): MotionCurve {
  const count = 2 * frames + 1;
  return {
    character: "biped",
    take: "walk",
    point: { joint: "Hips" },
    perFrame: 2,
    positions: Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 0 ? i / 6 : 0)), // x is the frame
    orientations: new Float32Array(4 * count),
    speeds: new Float32Array(count),
    keys,
  };
}

test("a place between samples is blended, and outside it is that of the end", () => {
  const line = curve(10, []);
  expect(sampleAt(line, 3.25)!.x).toBeCloseTo(3.25);
  expect(sampleAt(line, -4)!.x).toBe(0);
  expect(sampleAt(line, 40)!.x).toBe(10);
});

test("the segment around a frame lies between the keys before and after it", () => {
  const line = curve(24, [0, 0.25, 0.5, 1]);
  expect(segmentAround(line, 9, 24)).toEqual([6, 12]);
  expect(segmentAround(line, 6, 24)).toEqual([6, 12]);
  expect(segmentAround(line, 20, 24)).toEqual([12, 24]);
});

test("at the last key the segment is the one before it", () => {
  expect(segmentAround(curve(24, [0, 0.5, 1]), 24, 24)).toEqual([12, 24]);
});

test("without keys the whole curve is one segment", () => {
  expect(segmentAround(curve(24, []), 9, 24)).toEqual([0, 24]);
});

test("only long takes show a part of their curves", () => {
  expect(reachOf(curve(120, []))).toBeGreaterThan(1e5);
  expect(reachOf(curve(400, []))).toBeLessThan(100);
});

test("of a long take's curve only what is near the shown frame is seen", () => {
  const short = curve(120, []);
  expect(placesSeen(short, 60).length).toBe(short.positions.length);
  const long = curve(400, []);
  const seen = placesSeen(long, 200);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.length).toBeLessThan(long.positions.length / 4);
  expect(placesSeen(long, 0)[0]).toBe(long.positions[0]);
});

test("the grid's cells grow with what is seen, by tens", () => {
  expect(cellSize(5)).toBeCloseTo(0.1);
  expect(cellSize(50)).toBeCloseTo(1);
  expect(cellSize(0.5)).toBeCloseTo(0.01);
});

test("what is drawn between samples goes through all of them and keeps straight lines straight", () => {
  const line = curve(4, []);
  const drawn = smoothed(line, 24);
  drawn.at.forEach((frame, i) => expect(drawn.positions[3 * i]).toBeCloseTo(frame, 5));
  const bent = {
    ...line,
    positions: line.positions.map((x, i) => (i % 3 === 1 ? Math.sin(i) : x)),
  };
  const through = smoothed(bent, 24);
  for (let i = 0; i < 9; i++)
    expect(through.positions[9 * i + 1]).toBeCloseTo(bent.positions[3 * i + 1]!, 6);
});

test("a corner at a key is not rounded", () => {
  const corner = {
    ...curve(4, [2 / 24]),
    positions: new Float32Array(
      [...Array(27).keys()].map((i) => (i % 3 === 1 ? Math.abs(Math.floor(i / 3) - 4) : 0)),
    ),
  };
  const drawn = smoothed(corner, 24);
  for (let i = 0; i < drawn.at.length; i++)
    expect(drawn.positions[3 * i + 1]).toBeCloseTo(2 * Math.abs(drawn.at[i]! - 2), 5);
});

test("of a long curve only a part is drawn, and cut anew when the frame has left it", () => {
  const long = curve(2000, [0, 50]);
  const part = partAround(long, 1000, 24);
  expect(part.first).toBe(856);
  expect(part.curve.positions[0]).toBe(856);
  expect(part.curve.positions.length / 3).toBe(2 * 288 + 1);
  expect(part.curve.keys[1]! * 24 + part.first).toBeCloseTo(1200);
  for (const [frame, fits] of [
    [1000, true],
    [1072, true],
    [1073, false],
    [900, false],
  ] as const)
    expect(stillFits(part, long, frame)).toBe(fits);
  expect(stillFits(partAround(long, 10, 24), long, 0)).toBe(true);
  const short = curve(100, []);
  expect(partAround(short, 50, 24).curve).toBe(short);
  expect(stillFits(partAround(short, 50, 24), short, 0)).toBe(true);
});

test("no curve leads through the T-pose that a capture begins with, unless that is shown", () => {
  documentState.value = {
    takes: { actor: [{ name: "take", duration: 4, rate: 24, lead_in: 2 }] },
  } as unknown as Document;
  character.value = "actor";
  take.value = "take";
  for (const frames of [96, 2000]) {
    const whole = curve(frames, []);
    const part = partAround(whole, 40, 24);
    expect(part.first).toBe(2);
    expect(part.curve.positions[0]).toBe(2);
    expect(part.curve.positions.at(-3)).toBe(frames === 96 ? whole.positions.at(-3) : 184);
    expect(placesSeen(whole, 40)[0]).toBeGreaterThanOrEqual(2);
    expect(stillFits(part, whole, 41)).toBe(true);
    expect(stillFits(part, whole, 0)).toBe(false);
    expect(partAround(whole, 0, 24).first).toBe(0);
  }
  expect(playRange.value).toEqual([2, 96]);
});
