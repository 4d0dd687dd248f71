// The joint that is selected when a file is opened: a hand or the like if it moves, else what moves most.

import type { RigInfo } from "../wire/messages";

/** Names of joints that people like to drag, best first. */
const LIKED = [
  /right.?hand$|hand[._]?r$/i,
  /wrist.*r|r.*wrist/i,
  /hand|wrist|palm/i,
  /shade|head$/i,
];
const MOVES = 0.15; // of the longest way: a liked joint that goes less far is left alone
const ALIKE = 0.85; // of a joint's way: its parent goes about as far, as the wrist of a fingertip

/** `far`: how far each joint goes. */
export function startingJoint(
  rig: Pick<RigInfo, "joints" | "parents" | "analysis">,
  far: ArrayLike<number>,
): number {
  const way = (joint: number) => (rig.analysis[joint]?.role === "control" ? 0 : far[joint]!);
  let most = rig.joints.reduce((best, _, joint) => (way(joint) > way(best) ? joint : best), 0);
  for (const like of LIKED) {
    const moves = (joint: number) => way(joint) > MOVES * way(most);
    const liked = rig.joints.findIndex((name, joint) => like.test(name) && moves(joint));
    if (liked >= 0) return liked;
  }
  const enough = ALIKE * way(most);
  for (let up = rig.parents[most]!; up >= 0 && way(up) >= enough; up = rig.parents[up]!) {
    if (rig.analysis[up]?.role === "root") break;
    most = up;
  }
  return most;
}
