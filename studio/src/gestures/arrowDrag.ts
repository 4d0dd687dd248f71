// Drags the tip of an orientation arrow: across it rotates the frame, along it scales it.

import { Quaternion, Vector3 } from "three";
import { updateInteraction } from "../state/interaction";
import { rigOf } from "../state/document";
import type { Pick } from "../viewport/pick";
import { curveOf, orientationAt, sampleAt } from "../viewport/motionCurve";
import { project, rayAt } from "../viewport/projection";
import type { Stage } from "../viewport/stage";
import type { PointRef } from "../wire/messages";
import { inScreenPlane } from "./aim";
import { CurveGesture } from "./curveGesture";

type ArrowPick = Extract<Pick, { kind: "arrow" }>;

const SMALLEST = 0.05;
const LARGEST = 20;

export class ArrowDrag extends CurveGesture {
  private readonly centre: Vector3;
  private readonly tip: Vector3;
  private readonly turned: Quaternion;
  private factor = 1;
  private angle = 0; // rad

  constructor(
    stage: Stage,
    tool: string,
    arrow: ArrowPick,
    at: { x: number; y: number },
    private readonly scales: boolean,
  ) {
    super(stage, { tool, point: arrow.point, frame: arrow.frame }, at);
    const curve = curveOf(arrow.point, false);
    this.centre = (curve && sampleAt(curve, arrow.frame)) ?? arrow.world.clone();
    this.turned = (curve && orientationAt(curve, arrow.frame)) ?? new Quaternion();
    this.tip = arrow.world.clone();
  }

  protected send(): void {
    const before = this.tip.clone().sub(this.centre);
    const now = this.moved().sub(this.centre);
    if (this.scales) {
      const seen = before.clone().projectOnPlane(this.back); // so that the tip stays under the pointer
      const share = now.dot(seen) / Math.max(seen.lengthSq(), 1e-12);
      this.factor = Math.min(Math.max(share, SMALLEST), LARGEST);
      return updateInteraction({ scale: [this.factor, this.factor, this.factor] });
    }
    const turn = new Quaternion().setFromUnitVectors(before.normalize(), now.normalize());
    this.angle = turn.angleTo(new Quaternion());
    const { w, x, y, z } = turn.multiply(this.turned).normalize();
    updateInteraction({ orientation: [w, x, y, z] });
  }

  protected text(): string {
    if (this.scales) return `Scale ${this.factor.toFixed(2)}`;
    return `${Math.round((this.angle * 180) / Math.PI)}°`;
  }

  /** Where the pointer has the tip: in the plane of the screen through it. */
  private moved(): Vector3 {
    const { orbit } = this.stage;
    const pressed = rayAt(orbit, this.aim.startX, this.aim.startY);
    return inScreenPlane(this.tip, this.back, pressed, rayAt(orbit, this.aim.x, this.aim.y));
  }

  /** Away from the screen, towards the viewer. */
  private get back(): Vector3 {
    return new Vector3().setFromMatrixColumn(this.stage.orbit.camera.matrixWorld, 2);
  }
}

/** Whether a first movement means the arrow's length: along it, where the joint can be scaled. */
export function scalesArrow(stage: Stage, arrow: ArrowPick, dx: number, dy: number): boolean {
  const curve = curveOf(arrow.point);
  const centre = curve && sampleAt(curve, arrow.frame);
  const [from, to] = [centre && project(stage.orbit, centre), project(stage.orbit, arrow.world)];
  if (!from || !to || !canScale(arrow.point)) return false;
  const [wx, wy] = [to.x - from.x, to.y - from.y];
  return Math.abs(dx * wx + dy * wy) > Math.abs(dx * wy - dy * wx);
}

function canScale(point: PointRef): boolean {
  const rig = rigOf(point.character ?? "");
  const joint = rig?.joints.indexOf(point.joint) ?? -1;
  return (
    rig?.channels.some((each) => each.joint === joint && each.kind.startsWith("scale")) ?? false
  );
}
