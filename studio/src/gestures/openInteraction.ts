// An interaction that stays open after release, because its tool shows handles.

import { effect } from "@preact/signals-core";
import { commitOpen, interaction } from "../state/interaction";
import { recording } from "../state/recording";
import { character, take, tool } from "../state/view";
import { Label } from "../viewport/labels";
import type { Stage } from "../viewport/stage";

const HANDLE = "Drag a handle · Enter applies · Esc cancels";
const UNKEYED = "Pose not keyed: I keys it · Esc discards it";
const TICK = "Drag another tick · Enter applies · Esc cancels";

/** Another tool or take commits it; a line at the top says what ends it. */
export function watchOpenInteraction(stage: Stage): void {
  const label = new Label(stage.place, "hint");
  effect(() => {
    const now = interaction.value;
    const text = now?.unkeyed ? UNKEYED : stage.curves.held.length ? TICK : HANDLE;
    if (now?.open && !recording.value) label.showAbove(text, stage.orbit.size.x / 2, 44);
    else label.hide();
    if (!now) stage.curves.held = [];
  });
  effect(() => {
    void [tool.value, character.value, take.value];
    commitOpen();
  });
}
