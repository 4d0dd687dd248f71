// Selects the joints of the shown character inside a box that is dragged over the viewport.

import { rigOf } from "../state/document";
import { character, frame, points } from "../state/view";
import { activeGesture, type ActiveGesture, type PointerSample } from "../viewport/activeGesture";
import { project } from "../viewport/projection";
import { worldAt } from "../viewport/shownPose";
import type { Stage } from "../viewport/stage";
import type { PointRef } from "../wire/messages";

export class BoxSelect implements ActiveGesture {
  private readonly box = document.createElement("div");
  private end: { x: number; y: number };

  constructor(
    private readonly stage: Stage,
    private readonly start: { x: number; y: number },
    private readonly adds: boolean,
  ) {
    this.end = start;
    this.box.className = "box-select";
    stage.place.append(this.box);
    activeGesture.value = this;
  }

  to(samples: readonly PointerSample[]): void {
    this.end = samples.at(-1)!;
    const { x, y, width, height } = this.bounds();
    const sides = { left: x, top: y, width, height };
    for (const [side, px] of Object.entries(sides)) this.box.style.setProperty(side, `${px}px`);
  }

  step(): void {}

  commit(): void {
    const inside = this.inside();
    const kept = this.adds ? points.peek() : [];
    const known = new Set(kept.map((each) => each.joint));
    points.value = [...kept, ...inside.filter((each) => !known.has(each.joint))];
    this.cancel();
  }

  cancel(): void {
    this.box.remove();
    activeGesture.value = null;
    this.stage.changed();
  }

  private bounds() {
    const [x, y] = [Math.min(this.start.x, this.end.x), Math.min(this.start.y, this.end.y)];
    const [width, height] = [
      Math.abs(this.end.x - this.start.x),
      Math.abs(this.end.y - this.start.y),
    ];
    return { x, y, width, height };
  }

  private inside(): PointRef[] {
    const { x, y, width, height } = this.bounds();
    const rig = rigOf(character.peek());
    const all = (rig?.joints ?? []).map((joint): PointRef => ({
      joint,
      offset: [0, 0, 0],
      character: rig!.name,
    }));
    return all.filter((point) => {
      const place = worldAt(point, frame.peek());
      const seen = place && project(this.stage.orbit, place);
      return seen && seen.x >= x && seen.x <= x + width && seen.y >= y && seen.y <= y + height;
    });
  }
}
