// Pins and contacts among the constraints of the document.

import { computed } from "@preact/signals-core";
import type { Constraint, ConstraintInfo, Contact, Pin, PointRef } from "../wire/messages";
import { documentState } from "./document";

export type PointConstraintKind = "pin" | "contact";

/** A pin or contact, with its index among all constraints. */
export interface PointConstraintInfo {
  kind: PointConstraintKind;
  index: number;
  name: string;
  point: PointRef;
  start: number; // s
  end: number; // s
  position: boolean;
  orientation: boolean;
  relative_to: PointRef | null;
  take: string; // "" is every one
}

export function isPointConstraint(constraint: Constraint): constraint is Pin | Contact {
  return constraint.kind === "pin" || constraint.kind === "contact";
}

export const pointConstraints = computed<readonly PointConstraintInfo[]>(() =>
  (documentState.value?.constraints ?? []).flatMap(pointConstraintOf),
);

function pointConstraintOf({
  index,
  name,
  take,
  constraint,
}: ConstraintInfo): PointConstraintInfo[] {
  if (!isPointConstraint(constraint)) return [];
  return [
    {
      relative_to: null, // of a pin
      ...constraint,
      index,
      name,
      take,
    },
  ];
}

/** The constraint of a pin or contact, with other values. */
export function constraintOf(
  info: PointConstraintInfo,
  values: { start?: number; end?: number; position?: boolean; orientation?: boolean } = {},
): Pin | Contact {
  const { kind, point, start, end, position, orientation, relative_to } = info;
  const shared = { point, start, end, position, orientation, ...values };
  return kind === "pin" ? { kind, ...shared } : { kind, ...shared, relative_to };
}
