// Posing: any point of the body at the current frame.

import type { PointRef } from "../wire/messages";
import { fitFirst, type Refusal } from "./refusal";

export function whyNot(spot: PointRef): Refusal | null {
  return fitFirst(spot);
}
