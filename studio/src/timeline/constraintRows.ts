// Rows of constraints in the dope sheet: a bar over the frames of each.

import { spanOf } from "../constraints/kinds";
import type { ConstraintInfo } from "../wire/messages";
import type { ConstraintBar, Row } from "./row";

export function constraintRows(constraints: readonly ConstraintInfo[]): Row[] {
  return constraints.map((info) => {
    const [start, end] = spanOf(info.constraint);
    const label = info.title;
    const bar: ConstraintBar = {
      kind: "constraint",
      index: info.index,
      name: label,
      start,
      end,
      info,
    };
    const id = `constraint ${info.index}`;
    return {
      id,
      kind: "bars",
      label,
      depth: 0,
      joint: -1,
      channels: [],
      open: null,
      bars: [bar],
    };
  });
}
