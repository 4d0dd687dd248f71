// Lengths, root and attached joints in the outliner: what the rig analysis found, and the animator's settings.

import { html, nothing, type TemplateResult } from "lit-html";
import { points, take } from "../state/view";
import type { Change, RigInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { icon } from "../controls/icons";
import type { MenuItem } from "../controls/menu";

/** At the end of a joint's row: it is the root, its length may change, or it is locked, with the reason. */
export function lengthMark(rig: RigInfo, joint: number): TemplateResult | typeof nothing {
  const info = rig.analysis[joint];
  if (!info) return nothing;
  const mark = (name: "length" | "link" | "lock" | "root", text: string) =>
    html`<span class="row-aside length-mark" role="img" title=${text} aria-label=${text}
      >${icon(name)}</span
    >`;
  if (info.attached_to) return mark("link", `Attached to ${info.attached_to}: moves with it`);
  if (info.length === "locked") return mark("lock", "Length locked");
  if (info.role === "root" && info.length === "") return mark("root", "Root: carries the body");
  if (info.moves.includes(take.value)) return mark("length", "Length free: animated in this take");
  return info.free ? mark("length", `Length free: ${info.why}`) : nothing;
}

/** Settings of a joint, and of the others that are selected with it. */
export function lengthItems(rig: RigInfo, joint: number): MenuItem[] {
  const info = rig.analysis[joint];
  if (!info) return [];
  const at = { character: rig.name, take: take.peek() };
  const apply = (change: Change) => () => void send({ type: "ApplyChange", change });
  const joints = together(rig, joint);
  const set = (label: string, length: "" | "free" | "locked", enabled = true): MenuItem => ({
    label,
    checked: info.length === length,
    enabled,
    run: apply({ change: "SetLengths", ...at, joints, length }),
  });
  const freeable = joints.every((each) => rig.analysis[each]?.can_free);
  const root = rig.root_set && info.role === "root";
  return [
    set("Free length", "free", freeable),
    set("Lock length", "locked"),
    set("Length as analysed", ""),
    {
      label: "Use as root",
      line: true,
      checked: root,
      enabled: info.can_root && !root,
      run: apply({ change: "SetRoot", ...at, joint }),
    },
    {
      label: "Root as analysed",
      checked: !rig.root_set,
      run: apply({ change: "SetRoot", ...at, joint: -1 }),
    },
    ...attachItems(rig, joint, joints),
  ];
}

/** What carries a joint in edits: the other one that is selected with it, its parent, or as analysed. */
function attachItems(rig: RigInfo, joint: number, joints: number[]): MenuItem[] {
  const info = rig.analysis[joint];
  if (!info) return [];
  const other = joints.length === 2 ? joints.find((each) => each !== joint) : undefined;
  const name = other === undefined ? "the other selected joint" : rig.joints[other];
  const set = (limb: number) => () =>
    void send({
      type: "ApplyChange",
      change: { change: "SetAttached", character: rig.name, take: take.peek(), joint, limb },
    });
  return [
    {
      label: `Attach to ${name}`,
      line: true,
      checked: info.attached_set && info.attached_to === name,
      enabled: other !== undefined && info.can_root && !isBelow(rig, other, joint),
      run: set(other ?? joint),
    },
    {
      label: "Detach",
      checked: info.attached_set && info.attached_to === "",
      enabled: info.attached_to !== "",
      run: set(joint),
    },
    { label: "Attached as analysed", checked: !info.attached_set, run: set(-1) },
  ];
}

function isBelow(rig: RigInfo, joint: number, top: number): boolean {
  for (let each = joint; each >= 0; each = rig.parents[each] ?? -1) if (each === top) return true;
  return false;
}

/** The joint under the pointer, with all selected ones if it is one of them. */
function together(rig: RigInfo, joint: number): number[] {
  const own = points.peek().filter((each) => !each.character || each.character === rig.name);
  const chosen = new Set(
    own.map((each) => rig.joints.indexOf(each.joint)).filter((each) => each >= 0),
  );
  return chosen.has(joint) ? [...chosen] : [joint];
}
