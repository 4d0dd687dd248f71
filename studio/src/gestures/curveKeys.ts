// Keys on a motion curve as its control points: insert one at a frame, delete one.

import { keys, rigOf, takeName, takeOf, type ChannelKeys } from "../state/document";
import { interaction } from "../state/interaction";
import { rate, take } from "../state/view";
import { commands, hotkeyOf, type Command } from "../state/commands";
import type { MenuItem } from "../controls/menu";
import { frameLabel } from "../controls/pointText";
import type { Stage } from "../viewport/stage";
import type { Change, PointRef, RigInfo } from "../wire/messages";
import { send } from "../wire/socket";

const SLACK = 0.02; // frames
const WIDTH = 9; // numbers of a key

/** The channels whose keys shape a point's curve: of its joint and those above, without the root's. */
export function itemChannels(
  rig: RigInfo,
  keyed: ReadonlyMap<number, ChannelKeys>,
  joint: number,
): number[] {
  const chain = new Set<number>([joint]);
  for (let each = joint; (rig.parents[each] ?? -1) >= 0; each = rig.parents[each]!) chain.add(each);
  const moving = rig.channels.flatMap((channel, c) => {
    const moves = (keyed.get(c)?.rows.length ?? 0) > WIDTH; // one key does not move anything
    return moves && chain.has(channel.joint) ? [c] : [];
  });
  const own = rig.channels.flatMap((channel, c) => (channel.joint === joint ? [c] : []));
  return moving.length ? moving : own;
}

interface Item {
  at: { character: string; take: string };
  channels: number[];
  keyed: ReadonlyMap<number, ChannelKeys>;
}

function itemOf(point: PointRef): Item | null {
  const at = { character: point.character ?? "", take: take.peek() };
  const rig = rigOf(at.character);
  const keyed = keys.peek().get(takeName(at.character, at.take));
  const joint = rig?.joints.indexOf(point.joint) ?? -1;
  const info = takeOf(at.character, at.take);
  if (!rig || !keyed || joint < 0 || !info?.keyed || info.layers.length) return null;
  return { at, channels: itemChannels(rig, keyed, joint), keyed };
}

/** The change that keys a point's channels at a frame; null where the take has no keys to edit. */
export function insertion(point: PointRef, frame: number): Change | null {
  const item = itemOf(point);
  if (!item?.channels.length) return null;
  return { change: "AddKeys", ...item.at, channels: item.channels, time: frame / rate.peek() };
}

/** The change that removes a point's keys at a frame; null where there are none, or they close the loop. */
export function deletion(point: PointRef, frame: number): Change | null {
  const item = itemOf(point);
  const info = item && takeOf(item.at.character, item.at.take);
  if (!item || !info) return null;
  const last = info.duration * info.rate;
  if (info.loops && (frame < SLACK || frame > last - SLACK)) return null;
  const found = item.channels.flatMap((channel): [number, number][] => {
    const rows = item.keyed.get(channel)?.rows ?? new Float32Array();
    for (let key = 0; key * WIDTH < rows.length; key++)
      if (Math.abs(rows[key * WIDTH]! * rate.peek() - frame) < SLACK) return [[channel, key]];
    return [];
  });
  return found.length ? { change: "DeleteKeys", ...item.at, keys: found } : null;
}

/** What the menu of a curve has for its keys. */
export function keyItems(point: PointRef, at: number, onKey: boolean): MenuItem[] {
  const frame = onKey ? at : Math.round(at);
  const item = (label: string, command: string, change: Change | null): MenuItem[] =>
    change
      ? [{ label, hotkey: keyOf(command), run: () => send({ type: "ApplyChange", change }) }]
      : [];
  return [
    ...(onKey ? [] : item(`Insert key at ${frameLabel(frame)}`, INSERT, insertion(point, frame))),
    ...(onKey ? item("Delete key", DELETE, deletion(point, frame)) : []),
  ];
}

function keyOf(id: string): string | undefined {
  const found = commands().find((each) => each.id === id);
  return found && hotkeyOf(found)?.split(" ")[0];
}

const INSERT = "curve.insert_key";
const DELETE = "curve.delete_key";

/** Keys for the curve under the pointer. */
export function curveKeyCommands(stage: Stage): Command[] {
  const change = (made: typeof insertion, whole: boolean) => {
    const lit = stage.curves.lit;
    if (!lit || lit.frame === null || lit.axis !== undefined || interaction.peek()) return null;
    return made(lit.point, whole ? Math.round(lit.frame) : lit.frame);
  };
  const command = (
    id: string,
    label: string,
    hotkey: NonNullable<Command["hotkey"]>,
    made: () => Change | null,
  ): Command => ({
    id,
    label,
    group: "Keys",
    hotkey,
    where: "viewport",
    enabled: () => made() !== null,
    run: () => {
      const now = made();
      if (now) send({ type: "ApplyChange", change: now });
    },
  });
  return [
    command(INSERT, "Insert key on the curve", { blender: "I", maya: "S" }, () =>
      change(insertion, true),
    ),
    command(DELETE, "Delete key on the curve", { blender: "X Delete", maya: "Delete" }, () =>
      change(deletion, false),
    ),
  ];
}
