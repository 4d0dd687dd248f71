// A row of the dope sheet, and the bars that lie in it.

import type { PointConstraint } from "../state/footplants";
import type { ConstraintInfo, LayerInfo } from "../wire/messages";

export interface Row {
  id: string; // stays the same while the rig does
  kind:
    "summary" | "events" | "sections" | "layers" | "layer" | "joint" | "group" | "channel" | "bars";
  label: string;
  depth: number;
  joint: number; // -1 for the summary and layers
  channels: readonly number[]; // with keys, below this row
  open: boolean | null; // null cannot be opened
  bars: readonly Bar[]; // of a row of bars, not overlapping
  layers?: readonly LayerBar[];
  sections?: readonly SectionBar[];
  events?: readonly EventMark[];
  proposals?: readonly ProposalMark[]; // in the row of events
}

export interface ConstraintBar {
  kind: "constraint";
  index: number;
  name: string;
  start: number; // s
  end: number;
  info: ConstraintInfo;
}

/** All that has a bar with two ends to drag. */
export type Bar = PointConstraint | ConstraintBar;

/** An event of the take's activity. */
export interface EventMark {
  index: number;
  name: string;
  time: number; // s
  elements: readonly string[];
}

/** An event that was detected, and that nobody has accepted yet. */
export interface ProposalMark {
  key: string;
  name: string;
  time: number; // s
  confidence: number; // 0 to 1
}

/** A section of the take, to its end. */
export interface SectionBar {
  name: string;
  start: number; // s
  end: number;
}

export interface LayerBar extends LayerInfo {
  index: number; // in the stack, from the base up
  lane: number; // 0 is lowest: what overlaps lies above what is under it in the stack
  lanes: number; // of all layers
}
