// Measures latency: from a pointer move to the drawn pose that answers it.

import { effect } from "@preact/signals-core";
import { previews } from "./state/document";
import { heldSince } from "./gestures/stickPerformance";
import { interaction } from "./state/interaction";
import type { Stage } from "./viewport/stage";

type Place = readonly number[];

export interface Age {
  moved: number; // ms since the page began, as the pointer's event says
  applied: number; // ms since the page began: the pose was put into the picture
  off: number; // m between the move's target and where the answer got
}

/** Notes ages until it is called off. An answer belongs to the waiting move whose target it is nearest to. */
export function startStopwatch(stage: Stage): () => Age[] {
  const ages: Age[] = [];
  let waiting: { target: Place; moved: number }[] = [];
  let answer: Omit<Age, "applied"> | null = null;
  let moved = 0; // 0 until the first move
  const follow = (event: PointerEvent) => (moved = event.timeStamp);
  stage.canvas.addEventListener("pointermove", follow, { capture: true });
  const asking = effect(() => {
    const target = interaction.value?.target;
    if (target && moved && target !== waiting.at(-1)?.target) waiting.push({ target, moved });
  });
  let heard: Place | null = null;
  const hearing = effect(() => {
    const reached = previews.value.get(interaction.peek()?.id ?? -1)?.drag?.position;
    if (!reached || reached === heard || waiting.length === 0) return;
    heard = reached;
    const far = waiting.map((each) => distance(each.target, reached));
    const best = far.indexOf(Math.min(...far));
    answer = { moved: waiting[best]!.moved, off: far[best]! };
    waiting = waiting.slice(best + 1);
  });
  const draw = stage.draw;
  stage.draw = () => {
    draw.call(stage);
    if (answer) ages.push({ ...answer, applied: performance.now() });
    answer = null;
  };
  return () => {
    stage.canvas.removeEventListener("pointermove", follow, { capture: true });
    asking();
    hearing();
    stage.draw = draw;
    return ages;
  };
}

/** Notes how old the poses of a puppet are that are put into the picture, from the moment of the device that they answer. */
export function startStickwatch(stage: Stage): () => number[] {
  const ages: number[] = []; // ms
  let shown: number | null = null; // s of the performance
  const draw = stage.draw;
  stage.draw = () => {
    draw.call(stage);
    const time = previews.peek().get(interaction.peek()?.id ?? -1)?.poses[0]?.time;
    const since = heldSince.peek();
    if (time === undefined || since === null || time === shown) return;
    shown = time;
    ages.push(performance.now() - 1000 * (since + time));
  };
  return () => {
    stage.draw = draw;
    return ages;
  };
}

function distance(a: Place, b: Place): number {
  return Math.hypot(...a.map((each, i) => each - b[i]!));
}
