import { beforeEach, expect, test, vi } from "vitest";
import type { ReductionInfo, ClientMessage } from "../wire/messages";

const sent: ClientMessage[] = [];
vi.mock("../wire/socket", () => ({
  line: { value: "open" },
  send: (message: ClientMessage) => sent.push(message),
}));
const { requestCount, cancelCount, counted, countText, receiveCount } = await import("./reduction");

const wanted = { character: "biped", take: "walk", tolerance: 0.01, poses: "aligned" as const };
const info = (changes: Partial<ReductionInfo> = {}): ReductionInfo => ({
  type: "ReductionInfo",
  arrays: [],
  ...wanted,
  share: 1,
  key_poses: 24,
  error: 0.0087,
  ...changes,
});

beforeEach(() => {
  cancelCount();
  sent.length = 0;
});

test("the count is shown with its error", () => {
  requestCount(wanted);
  receiveCount(info());
  expect(sent).toEqual([{ type: "RequestReduction", ...wanted }]);
  expect(countText(counted.value, wanted)).toBe("24 key poses, at most 8.7 mm off");
});

test("keys of single channels are at most at as many key poses", () => {
  const each = { ...wanted, poses: "per-channel" as const };
  expect(countText(info({ poses: "per-channel" }), each)).toBe(
    "At most 24 key poses, at most 8.7 mm off",
  );
});

test("an answer to an older question is left out", () => {
  requestCount(wanted);
  requestCount({ ...wanted, tolerance: 0.02 });
  receiveCount(info());
  expect(counted.value).toBeNull();
});

test("while a take is prepared its progress is shown", () => {
  requestCount(wanted);
  receiveCount(info({ share: 0.4, key_poses: 0 }));
  expect(countText(counted.value, wanted)).toBe("Counting key poses… 40 %");
});

test("a count for another tolerance is not shown as if it were for this one", () => {
  expect(countText(info(), { ...wanted, tolerance: 0.02 })).toBe("Counting key poses…");
});

test("closing tells the server once, and answers that come later are left out", () => {
  requestCount(wanted);
  cancelCount();
  cancelCount();
  expect(sent.filter((message) => message.type === "CancelReduction")).toHaveLength(1);
  receiveCount(info());
  expect(counted.value).toBeNull();
});
