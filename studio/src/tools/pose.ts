// Posing: any point of the body at the current frame.

import type { Spot } from "../wire/messages";
import { fitFirst, type Refusal } from "./refusal";

export function whyNot(spot: Spot): Refusal | null {
  return fitFirst(spot);
}
