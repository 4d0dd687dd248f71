// Full names of channels, as Python has them.

import type { RigInfo } from "../wire/messages";

/** Such as "Jaw.rotate.x" or "Head.weight.smile". */
export function channelPath(rig: RigInfo, channel: number): string {
  const info = rig.channels[channel]!;
  const [group, axis] = info.kind.split("_");
  return `${rig.joints[info.joint]}.${group}.${info.label || axis || info.kind.at(-1)}`;
}
