// Proposed events on the timeline: dragged before they are accepted, and their menu.

import { confidenceText } from "../controls/text";
import type { MenuItem } from "../controls/menu";
import {
  accept,
  moveProposal,
  proposals,
  proposedTime,
  reject,
  sure,
} from "../state/proposedEvents";
import { lastFrame, rate, snap } from "../state/view";
import { viewOnly } from "../wire/role";
import { goToEvent } from "./eventDrag";
import { frameText } from "./frameText";
import { snappedMove, Way, type Gesture } from "./gesture";
import type { ProposalMark } from "./row";
import { axis } from "./sheetState";

/** Moves a proposal; the motion stays as it is. */
export function dragProposal(x: number, { key, name, time }: ProposalMark): Gesture {
  const way = new Way(x, 0);
  const before = proposedTime(key);
  const from = time * rate.peek();
  let now = from;
  return {
    cursor: "ew-resize",
    message: () => `${name}: frame ${frameText(now)}`,
    move(px, _, modifiers) {
      way.go(px, 0, modifiers);
      const snaps = snap.peek() !== modifiers.ctrl;
      const to = from + snappedMove(from, way.dx / axis.peek().perFrame, snaps);
      now = Math.min(Math.max(to, 0), lastFrame.peek());
      moveProposal(key, now / rate.peek());
    },
    end: () => {},
    cancel: () => moveProposal(key, before),
  };
}

export function proposalMenu(mark: ProposalMark): MenuItem[] {
  const own = proposals.peek().filter(({ key }) => key === mark.key);
  const enabled = !viewOnly.peek();
  const all = sure();
  return [
    { label: "Go to event", run: () => goToEvent(mark) },
    { label: "Accept event", line: true, enabled, run: () => accept(own) },
    { label: "Reject event", run: () => reject(own) },
    {
      label: `Accept all (${all.length})`,
      line: true,
      enabled: enabled && all.length > 0,
      run: () => accept(all),
    },
  ];
}

export function proposalHover({ name, time, confidence }: ProposalMark): string {
  const at = frameText(Math.round(time * rate.peek()));
  return `${name}? frame ${at} · detected, ${confidenceText(confidence)} sure`;
}
