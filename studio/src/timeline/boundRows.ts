// Constraints as rows of the dope sheet: a bar over the frames in which each holds.

import { spanOf, titleOf } from "../constraints/kinds";
import type { Wish } from "../state/plants";
import type { ConstraintInfo } from "../wire/messages";
import type { Row } from "./rows";

export interface BoundBar {
  kind: "constraint";
  index: number;
  name: string;
  start: number; // s
  end: number;
  told: ConstraintInfo;
}

/** All that has a bar with two ends to drag. */
export type Barred = Wish | BoundBar;

export function boundRows(constraints: readonly ConstraintInfo[]): Row[] {
  return constraints.map((told) => {
    const [start, end] = spanOf(told.constraint);
    const label = titleOf(told.constraint);
    const bar: BoundBar = { kind: "constraint", index: told.index, name: label, start, end, told };
    const id = `constraint ${told.index}`;
    return {
      id,
      kind: "wish",
      label,
      depth: 0,
      joint: -1,
      channels: [],
      open: null,
      wishes: [bar],
    };
  });
}
