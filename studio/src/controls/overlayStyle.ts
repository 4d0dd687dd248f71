// The colours of a tool's overlays by their style, in the viewport and on the timeline.

import type { CurveOverlay } from "../wire/messages";

export type OverlayStyle = CurveOverlay["style"];

export const OVERLAY_LOOKS = {
  edit: { colour: "edited", opacity: 1 },
  reference: { colour: "before", opacity: 0.9 },
  guide: { colour: "ink", opacity: 0.45 },
  warning: { colour: "short", opacity: 1 },
} as const satisfies Record<OverlayStyle, { colour: string; opacity: number }>;
