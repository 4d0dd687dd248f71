// Arms drawing for tools whose left drags do something else: until a stroke is drawn, or Esc.

import { commitOpen } from "../state/interaction";
import { armed } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import type { Stage } from "../viewport/stage";

/** Whether the active tool is armed before something can be drawn with it. */
export function canDraw(): boolean {
  const { gestures, strokeMode } = activeTool();
  return strokeMode !== undefined && gestures.includes("stroke");
}

/** The next left drag draws; the same again disarms it. */
export function armStroke(stage: Stage): void {
  commitOpen();
  const arms = armed.peek() !== "draw" && canDraw();
  armed.value = arms ? "draw" : null;
  if (arms) {
    stage.showArmedHint("draw");
    stage.label.hide(); // what a drag would do there
    stage.curves.lit = null;
  } else stage.hint.hide();
  stage.canvas.style.cursor = arms ? "crosshair" : "";
  stage.changed();
}
