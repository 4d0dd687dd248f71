import { expect, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { spanRows } = await import("./toolSpans");

test("spans that overlap lie in rows of their own, others share one", () => {
  const spans = [
    { start: 2, end: 4 },
    { start: 0, end: 1 },
    { start: 0.5, end: 3 },
    { start: 4, end: 5 },
  ];
  expect(spanRows(spans)).toEqual([0, 0, 1, 0]);
});
