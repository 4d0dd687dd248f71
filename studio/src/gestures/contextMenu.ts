// The context menu of what lies under the pointer.

import type { PointConstraintKind } from "../state/pinsAndContacts";
import { run } from "../state/commands";
import { rigOf, pointKey } from "../state/document";
import { selectedConstraint, frame, lastFrame, points, take } from "../state/view";
import type { MenuItem } from "../controls/menu";
import type { Pick } from "../viewport/pick";
import { frameLabel, pointText } from "../controls/pointText";
import { removeConstraint, show } from "../state/constraints";
import { footplantItems } from "../controls/footplantMenu";
import type { PointConstraint } from "../state/footplants";
import { removePointConstraint } from "../state/pointConstraints";
import type { ConstraintInfo, PointRef } from "../wire/messages";
import { send } from "../wire/socket";
import { keyItems } from "./curveKeys";
import { select } from "./select";
import { addPointConstraint, stretchOf, pointConstraintsAt } from "./pointConstraints";

export function contextItems(found: Pick, at: number): MenuItem[] {
  const view: MenuItem[] = [
    {
      label: "Frame selected",
      line: found.kind !== "empty",
      run: () => run("view.frame_selected"),
    },
    { label: "Frame all", run: () => run("view.frame_all") },
  ];
  if (found.kind === "empty" || found.kind === "handle") return view;
  if (found.kind === "constraint") return [...constraintItems(found.info), ...view];
  const { point } = found;
  const items: MenuItem[] = [];
  if (found.kind === "marker") items.push(...pointConstraintItems(found.pointConstraint));
  items.push(pointConstraintMenu("pin", point, at), pointConstraintMenu("contact", point, at));
  const present = pointConstraintsAt(point, at).filter(
    (pointConstraint) => found.kind !== "marker" || pointConstraint !== found.pointConstraint,
  );
  for (const pointConstraint of present)
    items.push({
      label: `Remove ${pointConstraint.kind}`,
      run: () => removePointConstraint(pointConstraint),
    });
  items.push({ label: "Limits…", line: true, run: () => showLimits(point) }, stiffness(point));
  if (found.kind === "curve" || found.kind === "key") {
    const whole = Math.min(Math.max(Math.round(at), 0), lastFrame.peek());
    const own = keyItems(point, at, found.kind === "key");
    items.push(...own.map((item, i) => ({ ...item, line: i === 0 })));
    items.push({
      label: `Go to ${frameLabel(whole)}`,
      line: own.length === 0,
      run: () => (frame.value = whole),
    });
    items.push({ label: "Hide curve", run: () => hide(point) });
  }
  return [...items, ...view];
}

function pointConstraintItems(pointConstraint: PointConstraint): MenuItem[] {
  if (pointConstraint.kind === "footplant") return footplantItems(pointConstraint);
  return [
    {
      label: "Select",
      run: () =>
        (selectedConstraint.value = { kind: pointConstraint.kind, index: pointConstraint.index }),
    },
    {
      label: `Remove ${pointConstraint.kind}`,
      hotkey: "Delete",
      run: () => removePointConstraint(pointConstraint),
    },
  ];
}

function constraintItems(info: ConstraintInfo): MenuItem[] {
  return [
    {
      label: "Select",
      run: () => (selectedConstraint.value = { kind: "constraint", index: info.index }),
    },
    { label: "Hide", run: () => show(info, false) },
    { label: "Remove", hotkey: "Delete", run: () => removeConstraint(info.index) },
  ];
}

function pointConstraintMenu(kind: PointConstraintKind, point: PointRef, at: number): MenuItem {
  const others = points.peek().filter((each) => pointKey(each) !== pointKey(point));
  const set = (stretch: Parameters<typeof stretchOf>[2], other: PointRef | null = null) => {
    select(
      point,
      points.peek().some((each) => pointKey(each) === pointKey(point))
        ? false
        : points.peek().length > 1,
    );
    addPointConstraint(kind, point, stretchOf(point, at, stretch), other);
  };
  const items: MenuItem[] = [
    { label: "Over segment", hotkey: kind === "pin" ? "P" : "C", run: () => set("segment") },
    { label: "At this frame", run: () => set("frame") },
    { label: "Over playback range", run: () => set("range") },
  ];
  if (kind === "contact") {
    others.forEach((other, i) =>
      items.push({
        label: `Relative to ${pointText(other)}`,
        line: i === 0,
        run: () => set("segment", other),
      }),
    );
    if (!others.length)
      items.push({ label: "Relative to: select another point, too", line: true, enabled: false });
  }
  return { label: kind === "pin" ? "Pin" : "Contact", items };
}

/** The panel beside the viewport holds the numbers. */
function showLimits(point: PointRef): void {
  select({ ...point, offset: [0, 0, 0] });
  requestAnimationFrame(() =>
    document.querySelector(".right .limits")?.scrollIntoView({ block: "nearest" }),
  );
}

function stiffness(point: PointRef): MenuItem {
  const character = point.character ?? "";
  const rig = rigOf(character);
  const joint = rig?.joints.indexOf(point.joint) ?? -1;
  const channels = (rig?.channels ?? []).flatMap((channel, c) =>
    channel.joint === joint ? [c] : [],
  );
  const set = (amount: number) =>
    send({
      type: "ApplyChange",
      change: { change: "SetStiffness", character, take: take.peek(), channels, stiffness: amount },
    });
  const now = rig?.channels[channels[0] ?? -1]?.stiffness;
  const ways: [string, number][] = [
    ["Loose", 0.25],
    ["Default", 1],
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

function hide(point: PointRef): void {
  points.value = points.peek().filter((each) => pointKey(each) !== pointKey(point));
}
