// Motion curves from the server: whole ones, changed parts, previews.

import type { Curve } from "../wire/messages";
import * as doc from "./document";
import { interaction } from "./interaction";
import { points } from "./view";

export function putCurve(message: Curve, arrays: Record<string, Float32Array>): void {
  const name = doc.pointKey(message.point);
  if (!points.peek().some((each) => doc.pointKey(each) === name)) return; // shown no more
  const info = doc.curves.peek().get(name);
  const fit =
    info && info.still.take === message.take && info.still.character === message.character;
  const base = fit ? info.still : null;
  const whole = (arrays["speeds"]?.length ?? 0) === message.total;
  if (!base && (!whole || message.preview_of !== null)) return; // a part of a dropped one; all of it is on its way
  const made: doc.MotionCurve = {
    character: message.character,
    take: message.take,
    point: message.point,
    perFrame: message.per_frame,
    positions: patched(base?.positions, arrays["positions"], message, 3),
    orientations: patched(base?.orientations, arrays["orientations"], message, 4),
    speeds: patched(base?.speeds, arrays["speeds"], message, 1),
    keys: message.keys ?? base?.keys ?? [],
  };
  const drags = base && interaction.peek() && !isRetaken(made, info!.live);
  const next =
    message.preview_of !== null && base
      ? { still: base, live: made }
      : { still: made, live: drags ? info!.live : null }; // somebody else's step does not end a drag
  doc.curves.value = new Map(doc.curves.peek()).set(name, next);
}

/** Whether a curve has another length than its preview: then that is about what is no more. */
function isRetaken(still: doc.MotionCurve, live: doc.MotionCurve | null): boolean {
  return live !== null && live.positions.length !== still.positions.length;
}

function patched(
  old: Float32Array | undefined,
  part: Float32Array | undefined,
  message: Curve,
  width: number,
): Float32Array {
  const whole = new Float32Array(message.total * width);
  if (old && old.length === whole.length) whole.set(old);
  if (part) whole.set(part, message.first * width);
  return whole;
}
