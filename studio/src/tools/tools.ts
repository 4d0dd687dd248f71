// The tools that take hold of points, by their names on the server.

import type { PointRef } from "../wire/messages";
import * as pose from "./pose";
import type { Refusal } from "./refusal";
import * as spacetime from "./spacetime";
import * as tangent from "./tangent";

const KNOWN: Record<string, { whyNot: (spot: PointRef, frame: number) => Refusal | null }> = {
  tangent,
  pose,
  spacetime,
};

export function refusalOf(tool: string, spot: PointRef, frame: number): Refusal | null {
  return KNOWN[tool]?.whyNot(spot, frame) ?? null;
}
