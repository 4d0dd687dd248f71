// A small picture of the chosen character as it stands, without marks.

import { character } from "../state/view";
import { Vector3 } from "three";
import { project } from "./projection";
import { stage } from "./stage";

const SIZE = 96; // px

/** As a data address; "" where there is no viewport. */
export function poseThumbnail(): string {
  const actor = stage?.actors.find(character.peek());
  if (!stage || !actor?.placed) return "";
  const { canvas, gizmo, orbit } = stage;
  gizmo.off = true;
  stage.draw();
  const box = stage.actors.boxOf(actor, actor.placed);
  const middle = project(orbit, box.getCenter(new Vector3()));
  const top = project(orbit, new Vector3(box.min.x, box.max.y, box.min.z));
  const foot = project(orbit, new Vector3(box.max.x, box.min.y, box.max.z));
  const flat = document.createElement("canvas");
  flat.width = flat.height = SIZE;
  const brush = flat.getContext("2d");
  const half = middle && top && foot ? 0.6 * Math.hypot(top.x - foot.x, top.y - foot.y) : 0;
  if (brush && middle && half > 0) {
    const ratio = canvas.width / orbit.size.x;
    const from = [middle.x - half, middle.y - half, 2 * half, 2 * half].map((px) => px * ratio);
    brush.drawImage(canvas, from[0]!, from[1]!, from[2]!, from[3]!, 0, 0, SIZE, SIZE);
  }
  gizmo.off = false;
  stage.changed();
  return flat.toDataURL("image/jpeg", 0.8);
}
