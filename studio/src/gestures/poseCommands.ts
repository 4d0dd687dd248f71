// Commands of poses: key, copy, paste, mirror, reset, tween.

import { openMenu, type MenuItem } from "../controls/menu";
import type { Command } from "../state/commands";
import { interaction } from "../state/interaction";
import { KEYING_SETS, keyingSet, type KeyingSet } from "../state/keyingSet";
import * as poses from "../state/poses";
import { keyUnkeyed } from "../state/unkeyedPose";
import { autoKey } from "../state/view";
import { activeGesture } from "../viewport/activeGesture";
import type { Stage } from "../viewport/stage";
import { TweenDrag } from "./tweenDrag";

const NO_KEYS =
  "This take has no keys that can be posed: fit keyframes or flatten its layers first.";

export function keyingSetItems(): MenuItem[] {
  return Object.entries(KEYING_SETS).map(([name, label]) => ({
    label,
    checked: keyingSet.peek() === name,
    run: () => (keyingSet.value = name as KeyingSet),
  }));
}

export function poseCommands(stage: Stage): Command[] {
  const free = () => poses.canPose() && (interaction.value === null || !!interaction.value.unkeyed);
  const command = (
    id: string,
    label: string,
    hotkey: Command["hotkey"] | null,
    run: () => void,
    enabled: () => boolean = free,
  ): Command => ({
    id: `pose.${id}`,
    label,
    group: "Pose",
    where: "viewport",
    ...(hotkey ? { hotkey } : {}),
    enabled,
    run,
  });
  return [
    {
      ...command("key", "Insert keyframe on the selection", { blender: "I", maya: "S" }, () => {
        if (!keyUnkeyed()) poses.keySelection();
      }),
      why: NO_KEYS,
    },
    command("keying_set", "Keying set…", { blender: "Shift+K" }, () =>
      openMenu(keyingSetItems(), innerWidth / 2, innerHeight / 3),
    ),
    {
      id: "pose.auto_key",
      label: "Auto key",
      group: "Pose",
      checked: () => autoKey.value,
      run: () => (autoKey.value = !autoKey.peek()),
    },
    command("copy", "Copy pose", "Ctrl+C", poses.copyPose),
    command(
      "paste",
      "Paste pose",
      "Ctrl+V",
      () => poses.pastePose(),
      () => free() && some(),
    ),
    command(
      "paste_mirrored",
      "Paste pose mirrored",
      "Ctrl+Shift+V",
      () => poses.pastePose(true),
      () => free() && some(),
    ),
    command("mirror", "Mirror pose", "Ctrl+Shift+M", poses.mirrorPose),
    command("reset", "Reset to rest pose", { blender: "Alt+R" }, poses.resetPose),
    command(
      "tween",
      "Tween between neighbouring keys",
      { blender: "Shift+E", maya: "Shift+E" },
      () => new TweenDrag(stage),
      () => free() && activeGesture.value === null,
    ),
  ];
}

const some = () => poses.copiedPose.value !== null;
