import { expect, test, vi } from "vitest";

vi.hoisted(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} }));

import { Peaks } from "./waveform";

const RATE = 8000;

function clicks(seconds: number, ...at: number[]): Float32Array {
  const samples = new Float32Array(RATE * seconds);
  for (const time of at) samples[Math.round(RATE * time)] = -0.8;
  return samples;
}

test("a click is seen at its time however much time a column has", () => {
  const peaks = new Peaks([clicks(4, 1.5)], RATE);
  for (const wide of [0.002, 0.02, 0.3, 2]) {
    const seen = [];
    for (let at = 0; at < 4; at += wide) if (peaks.between(at, at + wide) > 0.5) seen.push(at);
    expect(seen.some((at) => at <= 1.5 && 1.5 <= at + wide)).toBe(true);
    expect(seen.every((at) => Math.abs(at + wide / 2 - 1.5) < 1.5 * wide + 0.02)).toBe(true);
  }
});

test("the louder channel counts, and outside the sound there is silence", () => {
  const peaks = new Peaks([clicks(1, 0.2), clicks(1, 0.7)], RATE);
  expect(peaks.between(0.1, 0.3)).toBeCloseTo(0.8);
  expect(peaks.between(0.6, 0.8)).toBeCloseTo(0.8);
  expect(peaks.between(-3, -0.1)).toBe(0);
  expect(peaks.between(1.2, 9)).toBe(0);
});
