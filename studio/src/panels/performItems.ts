// What can be performed, as the list of a phone's page: points of all bodies, then channels without a place.

import { sentence } from "../controls/text";
import { rigOf, sceneInfo, documentState } from "../state/document";
import { showActor } from "../state/shownTakes";
import { character, chosenChannels, points } from "../state/view";
import type { RigInfo } from "../wire/messages";

export interface ItemGroup {
  label: string;
  items: { name: string; text: string }[];
}

const LIKELY = /hand|foot|head|hips|chest|jaw|tail|root/i; // before all others
const PLACELESS = ["weight", "custom"];

/** By actor: joints, those that are performed most first; then weights and custom channels. */
export function itemGroups(): ItemGroup[] {
  const rigs = sceneInfo.value?.rigs ?? [];
  return rigs.flatMap((rig) => {
    const own = [{ label: rig.name, items: jointItems(rig) }];
    const channels = channelItems(rig);
    return channels.length ? [...own, { label: `${rig.name}, values`, items: channels }] : own;
  });
}

function jointItems(rig: RigInfo): ItemGroup["items"] {
  const likely = rig.joints.filter(
    (each) => LIKELY.test(each) && !/thumb|index|middle|ring|pinky/i.test(each),
  );
  const all = [...likely, ...rig.joints.filter((each) => !likely.includes(each))];
  return all.map((joint) => ({ name: JSON.stringify([rig.name, joint]), text: sentence(joint) }));
}

function channelItems(rig: RigInfo): ItemGroup["items"] {
  return rig.channels.flatMap((info, channel) =>
    PLACELESS.includes(info.kind)
      ? [{ name: JSON.stringify([rig.name, channel]), text: sentence(info.label || info.kind) }]
      : [],
  );
}

/** The name of the item that is chosen now. */
export function chosenItem(): string {
  const [channel] = chosenChannels.value;
  if (channel !== undefined) return JSON.stringify([character.value, channel]);
  const point = points.value.at(-1);
  return point ? JSON.stringify([point.character || character.value, point.joint]) : "";
}

export function chooseItem(name: string): void {
  const [actor, item] = JSON.parse(name) as [string, string | number];
  const own = documentState.peek()?.takes[actor] ?? [];
  if (own.length) showActor(actor);
  const joint =
    typeof item === "string"
      ? item
      : rigOf(actor)?.joints[rigOf(actor)?.channels[item]?.joint ?? 0];
  points.value = [{ joint: joint ?? "", offset: [0, 0, 0], character: actor }];
  chosenChannels.value = new Set(typeof item === "number" ? [item] : []);
}
