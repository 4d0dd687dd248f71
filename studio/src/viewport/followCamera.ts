// Moves the camera along the ground with a character; angle, distance and height stay.

import { sceneInfo, poses, rigOf, takeName } from "../state/document";
import { activeDrag } from "./activeDrag";
import { character, followCharacter, frame, rate } from "../state/view";
import { evened, hipsOf, type Ground } from "./groundPath";
import { originOf } from "./pose";
import { takeShown } from "./shownPose";
import type { SceneView } from "./sceneView";

const EVEN = 0.75; // s before and after, over which a way is evened out: sway and steps do not shake the picture
const FINE = 30; // samples a second of it

export class Follow {
  private model = "";
  private whose = "";
  private last: { frame: number; place: Ground } | null = null;

  /** Once for each picture, before it is drawn. */
  step(stage: SceneView, model: string): void {
    if (!followCharacter.peek() || !model) {
      [this.model, this.whose] = [model, ""];
      return;
    }
    if (activeDrag.peek()) return; // the dragged point stays under the pointer
    const now = frame.peek();
    const place = groundAt(character.peek(), now);
    if (!place) return;
    const whose = takeName(character.peek(), takeShown(character.peek()));
    if (model !== this.model)
      this.carry(stage, groundAt(character.peek(), 0), place); // as it was framed at its beginning
    else if (whose !== this.whose) stage.orbit.centre(...place);
    else if (now !== this.last?.frame) this.carry(stage, this.last?.place ?? null, place);
    [this.model, this.whose, this.last] = [model, whose, { frame: now, place }];
  }

  private carry(stage: SceneView, from: Ground | null, to: Ground): void {
    const [x, z] = from ? [to[0] - from[0], to[1] - from[1]] : [0, 0];
    if (x !== 0 || z !== 0) stage.orbit.carry(x, z);
  }
}

/** Where a character is over the ground around a frame, from the loaded poses. */
function groundAt(name: string, at: number): Ground | null {
  const rig = rigOf(name) ?? sceneInfo.peek()?.rigs[0];
  const info = rig && poses.peek().get(takeName(rig.name, takeShown(rig.name)))?.frames;
  if (!rig || !info?.length) return null;
  const joint = hipsOf(rig);
  const place = (frame: number): Ground | null => {
    const pose = info[frame];
    if (!pose) return null;
    const [x, , z] = originOf(rig, pose, joint);
    return [x, z];
  };
  const step = Math.max(1, Math.round(rate.peek() / FINE));
  return evened(Math.min(at, info.length - 1), EVEN * rate.peek(), step, info.length - 1, place);
}
