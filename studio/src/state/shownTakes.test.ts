import { beforeEach, expect, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });

const doc = await import("./document");
const view = await import("./view");
const { firstShown, ownFrame, playTogether, showActor, startRememberingTakes, takeShown } =
  await import("./shownTakes");

type Document = NonNullable<typeof doc.documentState.value>;
const take = (name: string, rate = 24, loops = false) => ({
  name,
  rate,
  loops,
  duration: 2,
  keyed: true,
  baked: false,
  keys: 0,
  layers: [],
  sections: [],
});

const stage = (path: string | null = null): Document =>
  ({
    path,
    name: "stage",
    found_takes: {},
    roles: {},
    ground: [],
    recordings: [],
    takes: {
      ann: [take("idle"), take("walk"), take("performance", 60)],
      bob: [take("idle"), take("walk", 24, true)],
    },
  }) as unknown as Document;

startRememberingTakes();

beforeEach(() => {
  firstShown(stage()); // forgets what was chosen
  doc.documentState.value = stage();
  [view.character.value, view.take.value] = ["ann", "idle"];
  view.frame.value = 0;
});

test("everyone plays the chosen take, or their first", () => {
  view.take.value = "walk";
  expect([takeShown("ann"), takeShown("bob")]).toEqual(["walk", "walk"]);
  view.take.value = "performance";
  expect([takeShown("ann"), takeShown("bob")]).toEqual(["performance", "idle"]);
});

test("a character goes on with its take while another one is worked on", () => {
  view.take.value = "performance";
  showActor("bob");
  expect([view.take.value, takeShown("ann")]).toEqual(["idle", "performance"]);
  view.take.value = "walk";
  expect(takeShown("ann")).toBe("performance");
  playTogether("walk"); // chosen by a person
  expect(takeShown("ann")).toBe("walk");
});

test("another character is shown at the same time", () => {
  view.take.value = "performance";
  view.frame.value = 60; // 1 s
  showActor("bob");
  expect(view.frame.value).toBe(24);
  expect(ownFrame("ann", 24)).toBe(60);
});

test("loops go on while a longer take plays", () => {
  playTogether("walk");
  showActor("bob");
  showActor("ann");
  expect(ownFrame("bob", 60)).toBe(12); // of 48
});

test("an opened file shows what it showed last, else what was performed last", () => {
  expect(firstShown(stage("a.arc.glb"))).toBe(null);
  const performed = { ...stage("a.arc.glb") };
  performed.recordings = [{ character: "ann", take: "performance" }] as Document["recordings"];
  expect(firstShown(performed)).toMatchObject({ character: "ann", take: "performance" });
  doc.documentState.value = performed;
  [view.character.value, view.take.value] = ["bob", "walk"];
  expect(firstShown(performed)).toMatchObject({ character: "bob", take: "walk" });
  expect(firstShown({ ...performed, takes: {} })).toBe(null);
});
