import { expect, test, vi } from "vitest";
import { tapped } from "./tap";

function lifted(x: number, y: number, disabled = false) {
  const edges = { left: 10, right: 50, top: 20, bottom: 60 };
  const run = vi.fn();
  const preventDefault = vi.fn();
  tapped(run)({
    changedTouches: [{ clientX: x, clientY: y }],
    currentTarget: { disabled, getBoundingClientRect: () => edges },
    preventDefault,
  } as unknown as TouchEvent);
  return { run, preventDefault };
}

test("a finger that is lifted over the button taps it, and no click follows", () => {
  const { run, preventDefault } = lifted(30, 40);
  expect(run).toHaveBeenCalledOnce();
  expect(preventDefault).toHaveBeenCalledOnce();
});

test("a finger that slid off the button does not tap it", () => {
  expect(lifted(30, 70).run).not.toHaveBeenCalled();
  expect(lifted(5, 40).run).not.toHaveBeenCalled();
});

test("a disabled button is not tapped", () => {
  expect(lifted(30, 40, true).run).not.toHaveBeenCalled();
});
