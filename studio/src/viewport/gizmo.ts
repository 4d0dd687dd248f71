// The gizmo of the selected point: arrows along the world axes, or rings to rotate its joint.

import { Color, Group, Mesh, MeshBasicMaterial, TorusGeometry, Vector3 } from "three";
import { interaction } from "../state/interaction";
import { armed, frame, playing, points } from "../state/view";
import { activeTraits } from "../state/toolTraits";
import { activeTool } from "../tools/shared/registry";
import { nearestOn, project } from "./projection";
import { AXES, axesAt } from "./gizmoAxes";
import { AXIS_COLOURS } from "./theme";
import { placeOf } from "./pose";
import type { Pick } from "./pick";
import { jointOf } from "./motionCurve";
import type { SceneView } from "./sceneView";
import { arrowMaterial, Flock } from "./ticks";

const LONG = 58; // px
const CORNERS = [
  0.14, -1.1, 0, 0.76, -1.1, 0, 0.76, 1.1, 0, 0.14, 1.1, 0, 0.76, -5.2, 0, 1, 0, 0, 0.76, 5.2, 0,
];

export class Gizmo extends Group {
  lit: number | null = null;
  /** Films leave it out. */
  off = false;
  private readonly rings = AXES.map(ring);
  private readonly arrows = new Flock(arrowMaterial(LONG), CORNERS, [0, 1, 2, 0, 2, 3, 4, 5, 6]);

  constructor() {
    super();
    this.arrows.material.depthTest = false;
    this.arrows.renderOrder = 30;
    this.add(this.arrows, ...this.rings);
  }

  update(stage: SceneView): void {
    const at = this.off ? null : gizmoPlace(stage);
    this.visible = at !== null;
    if (!at) return;
    const colours = AXIS_COLOURS.map((colour, i) =>
      new Color(colour).lerp(new Color("#ffffff"), this.lit === i ? 0.55 : 0),
    );
    const axes = axesAt(points.peek().at(-1)!, frame.peek());
    const rotates = armed.value === "turn";
    this.arrows.visible = !rotates;
    this.rings.forEach((each, i) => {
      each.visible = rotates;
      each.position.copy(at);
      each.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), axes[i]!);
      each.scale.setScalar(stage.orbit.worldPerPixel(at) * LONG);
      each.material.color = colours[i]!;
    });
    this.arrows.draw({
      centre: { of: new Float32Array([0, 1, 2].flatMap(() => at.toArray())), width: 3 },
      way: { of: new Float32Array(axes.flatMap((axis) => axis.toArray())), width: 3 },
      tint: { of: new Float32Array(colours.flatMap((colour) => colour.toArray())), width: 3 },
    });
  }
}

/** A thin ring around an axis, one long in radius. */
function ring(axis: Vector3): Mesh<TorusGeometry, MeshBasicMaterial> {
  const material = new MeshBasicMaterial({
    depthTest: false,
    transparent: true,
    toneMapped: false,
  });
  const made = new Mesh(new TorusGeometry(1, 0.022, 8, 72), material);
  made.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), axis);
  made.renderOrder = 30;
  return made;
}

/** Where arrows and rings stand: on the point that acts, or on its joint, unless it moves; only for tools that drag. */
export function gizmoPlace(stage: SceneView): Vector3 | null {
  const point = points.value.at(-1);
  if (!point || playing.value || interaction.value) return null;
  if (!activeTool().gestures.includes("drag")) return null;
  if (activeTraits().composes && armed.value !== "move") return null; // it would hide the picture
  const actor = stage.actors.find(point.character ?? "");
  return actor?.placed
    ? placeOf(actor.rig, actor.placed, armed.value === "turn" ? jointOf(point) : point)
    : null;
}

/** Places around an axis, closed. */
function around(axis: Vector3, middle: Vector3, radius: number): Vector3[] {
  const across = new Vector3(axis.y, axis.z, axis.x).multiplyScalar(radius);
  return Array.from({ length: 49 }, (_, i) =>
    across
      .clone()
      .applyAxisAngle(axis, (i * Math.PI) / 24)
      .add(middle),
  );
}

export function gizmoAxis(
  stage: SceneView,
  x: number,
  y: number,
  near: number,
): { pick: Pick; distance: number } | null {
  const at = gizmoPlace(stage);
  const point = points.peek().at(-1);
  const middle = at && project(stage.orbit, at);
  if (!at || !middle || !point) return null;
  const world = stage.orbit.worldPerPixel(at) * LONG;
  let best: { axis: number; distance: number } | null = null;
  axesAt(point, frame.peek()).forEach((axis, i) => {
    if (armed.peek() === "turn") {
      const found = nearestOn(
        around(axis, at, world).map((place) => project(stage.orbit, place)),
        x,
        y,
      );
      if (found && found.distance < 0.5 * near && (!best || found.distance < best.distance))
        best = { axis: i, distance: found.distance };
      return;
    }
    const from = project(stage.orbit, at.clone().addScaledVector(axis, 0.35 * world));
    const to = project(stage.orbit, at.clone().addScaledVector(axis, world));
    if (!from || !to || Math.hypot(to.x - middle.x, to.y - middle.y) < 12) return; // it points at the camera
    const found = nearestOn([from, to], x, y);
    if (found && found.distance < 0.7 * near && (!best || found.distance < best.distance))
      best = { axis: i, distance: found.distance };
  });
  const found = best as { axis: number; distance: number } | null;
  return (
    found && {
      pick: { kind: "gizmo", axis: found.axis, point, world: at },
      distance: found.distance,
    }
  );
}
