// The viewport's commands, with keys for both keymaps.

import { Box3, Vector3 } from "three";
import { addCommands, type Command } from "../state/commands";
import { cast } from "../state/document";
import * as view from "../state/view";
import { placeOf } from "../viewport/pose";
import type { Stage } from "../viewport/stage";
import { curveOf } from "../viewport/samples";
import { dragging } from "./drag";
import { selectNothing } from "./select";
import { toggleWish } from "./wishes";

export function addVerbs(stage: Stage): void {
  addCommands([...looking(stage), ...holding(stage), ...wishing()]);
}

function looking(stage: Stage): Command[] {
  const side = (id: string, label: string, key: string, yaw: number, pitch: number): Command => ({
    id: `view.${id}`,
    label,
    group: "View",
    hotkey: { blender: key },
    run: () => stage.orbit.look(yaw, pitch),
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
      label: "Follow the character",
      group: "View",
      hotkey: { blender: "L Shift+Numpad.", maya: "L" },
      checked: () => view.followCharacter.value,
      run: () => (view.followCharacter.value = !view.followCharacter.peek()),
    },
    side("front", "Front view", "Numpad1", 0, 0),
    side("side", "Side view", "Numpad3", Math.PI / 2, 0),
    side("top", "Top view", "Numpad7", 0, Math.PI / 2 - 0.001),
    side("three_quarter", "Three-quarter view", "Numpad5", 0.7, 0.17),
  ];
}

/** The selected points and their curves, or the character as it stands. */
function selectedBox(stage: Stage): Box3 {
  const box = new Box3();
  const place = new Vector3();
  for (const spot of view.points.peek()) {
    const curve = curveOf(spot);
    for (let i = 0; curve && i < curve.positions.length; i += 3)
      box.expandByPoint(place.fromArray(curve.positions, i));
    const actor = stage.actors.find(spot.character ?? "");
    const at = actor?.placed && placeOf(actor.rig, actor.placed, spot);
    if (at) box.expandByPoint(at);
  }
  if (!box.isEmpty()) return box.expandByScalar(0.06 * (cast.peek()?.scale ?? 1));
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
    enabled: () => view.points.value.length > 0 && dragging.value === null,
    run: () => {
      view.armed.value = verb;
      stage.armedWords(verb);
      stage.changed();
    },
  });
  return [
    arm("move", "Move: then drag", "move", "G", "W"),
    arm("turn", "Rotate: then drag", "turn", "R", "E"),
    arm("time", "Scale timing: then drag", "time", "S", "R"),
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

function wishing(): Command[] {
  const some = () => view.points.value.length > 0;
  return [
    {
      id: "wishes.pin",
      label: "Pin the selection over this segment, or unpin it",
      group: "Constraints",
      hotkey: "P",
      enabled: some,
      why: "Nothing is selected to pin: click a point of the body first.",
      run: () => toggleWish("pin"),
    },
    {
      id: "wishes.contact",
      label: "Plant the selection over this segment, or free it",
      group: "Constraints",
      hotkey: "C",
      enabled: some,
      why: "Nothing is selected to plant: click a point of the body first.",
      run: () => toggleWish("contact"),
    },
  ];
}
