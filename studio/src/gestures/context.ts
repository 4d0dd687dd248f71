// What can be done with the thing under the pointer.

import { run } from "../state/commands";
import { rigOf, spotName } from "../state/document";
import { chosenWish, frame, lastFrame, points, take } from "../state/view";
import type { MenuItem } from "../panels/menu";
import type { Pick } from "../viewport/picking";
import { frameWords, spotWords } from "../viewport/say";
import { removeConstraint, show } from "../state/constraints";
import { keepPlants, leaveOut, type Plant, type Wish } from "../state/plants";
import type { ConstraintInfo, PointRef, PointConstraintKind } from "../wire/messages";
import { say } from "../wire/socket";
import { select } from "./select";
import { addWish, removeWish, stretchOf, wishesAt } from "./wishes";

export function contextItems(found: Pick, at: number): MenuItem[] {
  const view: MenuItem[] = [
    {
      label: "Frame selected",
      line: found.kind !== "empty",
      run: () => run("view.frame_selected"),
    },
    { label: "Frame all", run: () => run("view.frame_all") },
  ];
  if (found.kind === "empty") return view;
  if (found.kind === "bound") return [...boundItems(found.told), ...view];
  const { spot } = found;
  const items: MenuItem[] = [];
  if (found.kind === "wish") items.push(...wishItems(found.wish));
  items.push(wishMenu("pin", spot, at), wishMenu("contact", spot, at));
  const held = wishesAt(spot, at).filter((wish) => found.kind !== "wish" || wish !== found.wish);
  for (const wish of held)
    items.push({ label: `Remove this ${wish.kind}`, run: () => removeWish(wish) });
  items.push({ label: "Limits…", line: true, run: () => showLimits(spot) }, stiffness(spot));
  if (found.kind === "curve" || found.kind === "key") {
    const whole = Math.min(Math.max(Math.round(at), 0), lastFrame.peek());
    items.push({
      label: `Go to ${frameWords(whole)}`,
      line: true,
      run: () => (frame.value = whole),
    });
    items.push({ label: "Hide this curve", run: () => hide(spot) });
  }
  return [...items, ...view];
}

function wishItems(wish: Wish): MenuItem[] {
  if (wish.kind === "plant") return plantItems(wish);
  return [
    { label: "Choose", run: () => (chosenWish.value = { kind: wish.kind, index: wish.index }) },
    { label: `Remove this ${wish.kind}`, hotkey: "Delete", run: () => removeWish(wish) },
  ];
}

function boundItems(told: ConstraintInfo): MenuItem[] {
  return [
    { label: "Choose", run: () => (chosenWish.value = { kind: "constraint", index: told.index }) },
    { label: "Hide", run: () => show(told, false) },
    { label: "Remove", hotkey: "Delete", run: () => removeConstraint(told.index) },
  ];
}

export function plantItems(plant: Plant): MenuItem[] {
  return [
    { label: "Keep all that are found as contacts", run: keepPlants },
    { label: "Keep the others, not this one", run: () => leaveOut(plant) },
  ];
}

function wishMenu(kind: PointConstraintKind, spot: PointRef, at: number): MenuItem {
  const others = points.peek().filter((each) => spotName(each) !== spotName(spot));
  const set = (stretch: Parameters<typeof stretchOf>[2], other: PointRef | null = null) => {
    select(
      spot,
      points.peek().some((each) => spotName(each) === spotName(spot))
        ? false
        : points.peek().length > 1,
    );
    addWish(kind, spot, stretchOf(spot, at, stretch), other);
  };
  const items: MenuItem[] = [
    { label: "Over this segment", hotkey: kind === "pin" ? "P" : "C", run: () => set("segment") },
    { label: "At this frame", run: () => set("frame") },
    { label: "Over the playback range", run: () => set("range") },
  ];
  if (kind === "contact") {
    others.forEach((other, i) =>
      items.push({
        label: `Relative to ${spotWords(other).toLowerCase()}`,
        line: i === 0,
        run: () => set("segment", other),
      }),
    );
    if (!others.length)
      items.push({ label: "Relative to: select the other point too", line: true, enabled: false });
  }
  return { label: kind === "pin" ? "Pin" : "Contact", items };
}

/** The panel beside the viewport holds the numbers. */
function showLimits(spot: PointRef): void {
  select({ ...spot, offset: [0, 0, 0] });
  requestAnimationFrame(() =>
    document.querySelector(".right .limits")?.scrollIntoView({ block: "nearest" }),
  );
}

function stiffness(spot: PointRef): MenuItem {
  const character = spot.character ?? "";
  const rig = rigOf(character);
  const joint = rig?.joints.indexOf(spot.joint) ?? -1;
  const channels = (rig?.channels ?? []).flatMap((channel, c) =>
    channel.joint === joint ? [c] : [],
  );
  const set = (amount: number) =>
    say({
      type: "ApplyChange",
      change: { change: "SetStiffness", character, take: take.peek(), channels, stiffness: amount },
    });
  const now = rig?.channels[channels[0] ?? -1]?.stiffness;
  const ways: [string, number][] = [
    ["Loose", 0.25],
    ["Ordinary", 1],
    ["Stiff", 4],
    ["Very stiff", 16],
  ];
  return {
    label: "Stiffness",
    enabled: channels.length > 0,
    items: ways.map(([label, amount]) => ({
      label,
      checked: now === amount,
      run: () => set(amount),
    })),
  };
}

function hide(spot: PointRef): void {
  points.value = points.peek().filter((each) => spotName(each) !== spotName(spot));
}
