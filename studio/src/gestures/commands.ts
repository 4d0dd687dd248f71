// The viewport's commands, with keys for both keymaps.

import { effect } from "@preact/signals-core";
import { Box3, Vector3 } from "three";
import { addCommands, type Command } from "../state/commands";
import { sceneInfo } from "../state/document";
import { cancelInteraction, commitInteraction, interaction } from "../state/interaction";
import * as view from "../state/view";
import { placeOf } from "../viewport/pose";
import type { Stage } from "../viewport/stage";
import { gizmoSpace, nextSpace, SPACES } from "../viewport/gizmoAxes";
import { curveOf } from "../viewport/motionCurve";
import { activeGesture } from "../viewport/activeGesture";
import { activeTool } from "../tools/shared/registry";
import { armStroke, canDraw } from "./armStroke";
import { curveKeyCommands } from "./curveKeys";
import { poseCommands } from "./poseCommands";
import { selectNothing } from "./select";
import { togglePointConstraint } from "./pointConstraints";
import { canEditWhole, editWhole } from "./wholeEdit";

export function addViewportCommands(stage: Stage): void {
  const keys = curveKeyCommands(stage);
  addCommands([...looking(stage), ...OPEN, ...constraintCommands(), ...keys]);
  addCommands(poseCommands(stage));
  effect(() => addCommands(holding(stage))); // a label depends on the tool
}

function looking(stage: Stage): Command[] {
  const side = (id: string, label: string, key: string, yaw: number, pitch: number): Command => ({
    id: `view.${id}`,
    label,
    group: "View",
    ...(key ? { hotkey: { blender: key } } : {}),
    run: () => stage.orbit.look(yaw, pitch, key !== ""),
  });
  return [
    {
      id: "view.frame_selected",
      label: "Frame selected",
      group: "View",
      hotkey: { blender: "Numpad. .", maya: "F" },
      where: "viewport",
      run: () => stage.orbit.frame(selectedBox(stage)),
    },
    {
      id: "view.frame_all",
      label: "Frame all",
      group: "View",
      hotkey: { blender: "Home", maya: "A" },
      where: "viewport",
      run: () => stage.orbit.frame(stage.opening.box()),
    },
    {
      id: "view.follow",
      label: "Follow character",
      group: "View",
      hotkey: { blender: "L Shift+Numpad.", maya: "L" },
      checked: () => view.followCharacter.value === true,
      run: () => view.chooseFollow(!view.followCharacter.peek()),
    },
    side("front", "Front view", "Numpad1", 0, 0),
    side("side", "Side view", "Numpad3", Math.PI / 2, 0),
    side("top", "Top view", "Numpad7", 0, Math.PI / 2 - 0.001),
    side("back", "Back view", "Ctrl+Numpad1", Math.PI, 0),
    side("left_side", "Left view", "Ctrl+Numpad3", -Math.PI / 2, 0),
    side("bottom", "Bottom view", "Ctrl+Numpad7", 0, 0.001 - Math.PI / 2),
    side("three_quarter", "Three-quarter view", "", 0.7, 0.17),
    {
      id: "view.perspective",
      label: "Orthographic view",
      group: "View",
      hotkey: { blender: "Numpad5" },
      checked: () => stage.orbit.flat,
      run: () => stage.orbit.setFlat(!stage.orbit.flat),
    },
    {
      id: "view.axes",
      label: "Gizmo axes: world, local, parent",
      group: "View",
      hotkey: { blender: ",", maya: "Alt+X" },
      where: "viewport",
      run: () => {
        nextSpace();
        stage.hint.showAbove(
          `Gizmo axes: ${SPACES[gizmoSpace.peek()]}`,
          stage.orbit.size.x / 2,
          52,
        );
        stage.changed();
      },
    },
  ];
}

/** The selected points and their curves, or the character as it stands. */
function selectedBox(stage: Stage): Box3 {
  const box = new Box3();
  const place = new Vector3();
  for (const point of view.points.peek()) {
    const curve = curveOf(point);
    for (let i = 0; curve && i < curve.positions.length; i += 3)
      box.expandByPoint(place.fromArray(curve.positions, i));
    const actor = stage.actors.find(point.character ?? "");
    const at = actor?.placed && placeOf(actor.rig, actor.placed, point);
    if (at) box.expandByPoint(at);
  }
  if (!box.isEmpty()) return box.expandByScalar(0.06 * (sceneInfo.peek()?.scale ?? 1));
  const actor = stage.actors.find(view.character.peek());
  return actor?.placed ? stage.actors.boxOf(actor, actor.placed) : stage.opening.box();
}

function holding(stage: Stage): Command[] {
  const arm = (
    id: string,
    label: string,
    verb: view.Verb,
    blender: string,
    maya: string,
  ): Command => ({
    id: `curve.${id}`,
    label,
    group: "Curve",
    hotkey: { blender, maya },
    where: "viewport",
    enabled: () =>
      view.points.value.length > 0 &&
      activeGesture.value === null &&
      activeTool().gestures.includes("drag"),
    run: () => {
      view.armed.value = verb;
      stage.showArmedHint(verb);
      stage.changed();
    },
  });
  return [
    arm("move", "Move", "move", "G", "W"),
    arm("turn", "Rotate", "turn", "R", "E"),
    arm("time", "Scale time", "time", "S", "R"),
    {
      id: "view.box_select",
      label: "Box select joints",
      group: "View",
      hotkey: "B",
      where: "viewport",
      enabled: () => activeGesture.value === null,
      run: () => {
        view.armed.value = "box";
        stage.showArmedHint("box");
        stage.changed();
      },
    },
    {
      id: "curve.draw",
      label: activeTool().strokeMode?.label ?? "Draw stroke",
      group: "Curve",
      hotkey: "D",
      where: "viewport",
      enabled: () => canDraw() && activeGesture.value === null,
      checked: () => view.armed.value === "draw",
      run: () => armStroke(stage),
    },
    {
      id: "edit.whole",
      label: activeTool().whole?.label ?? "Edit whole take",
      group: "Edit",
      enabled: () => canEditWhole(),
      run: editWhole,
    },
    {
      id: "curve.hide",
      label: "Deselect all",
      group: "Curve",
      hotkey: { blender: "Alt+A", maya: "Alt+D" },
      where: "viewport",
      enabled: () => view.points.value.length > 0,
      run: selectNothing,
    },
  ];
}

/** For an interaction that stays open because its tool shows handles. */
const OPEN: Command[] = [
  {
    id: "edit.apply",
    label: "Apply edit",
    group: "Edit",
    hotkey: "Enter",
    enabled: () => interaction.value?.open === true,
    run: commitInteraction,
  },
  {
    id: "edit.cancel",
    label: "Cancel edit",
    group: "Edit",
    hotkey: "Escape",
    enabled: () => interaction.value?.open === true,
    run: cancelInteraction,
  },
];

function constraintCommands(): Command[] {
  const some = () => view.points.value.length > 0;
  return [
    {
      id: "constraints.pin",
      label: "Toggle pin",
      group: "Constraints",
      hotkey: "P",
      enabled: some,
      why: "Nothing selected to pin: click a point of the body first.",
      run: () => togglePointConstraint("pin"),
    },
    {
      id: "constraints.contact",
      label: "Toggle contact",
      group: "Constraints",
      hotkey: "C",
      enabled: some,
      why: "Nothing selected: click a point of the body first.",
      run: () => togglePointConstraint("contact"),
    },
  ];
}
