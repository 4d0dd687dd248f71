// The interface of a tool to the page; a file of tools/ states what the server does not.

import type { ToolTraits } from "../../state/toolTraits";
import type { Verb } from "../../state/view";
import type { Limits } from "../../controls/field";
import type { PointRef, ToolInfo } from "../../wire/messages";
import type { EditRange } from "./editRange";
import type { Refusal } from "./refusal";

export interface StudioTool extends ToolTraits {
  name: string; // as the server names it
  label: string;
  gestures: readonly Gesture[];
  /** What its drags may change. */
  verbs: readonly Verb[];
  /** One line on what it does, shown until that was done once. */
  hint: () => string;
  /** Why nothing can be dragged there; null where it can. */
  refusal: (point: PointRef, frame: number) => Refusal | null;
  overlays: Overlays;
  panel: Panel;
  /** Mouse gestures, for the list of shortcuts: what is done, what it does. */
  mouse?: readonly (readonly [gesture: string, does: string])[];
  /** The tool that is active at first, and that keyed takes open with. */
  isDefault?: boolean;
  /** Its drags start on motion curves. */
  dragsCurves?: boolean;
  /** Baked motion, or one with layers, can be edited as it is: such takes open with it. */
  editsBakedMotion?: boolean;
  /** The frame that a drag on a curve edits, given the nearest whole one. */
  frameAt?: (point: PointRef, at: number, nearest: number) => number;
  /** Whether a drag of a point at a frame moves a footplant. */
  bringsFootplant?: (point: PointRef, frame: number) => boolean;
  /** Frame ticks of curves can be dragged along them: for time. */
  dragsTicks?: boolean;
  /** Curves have two arrows a frame, whose tips can be dragged: for orientation and scale. */
  dragsArrows?: boolean;
  /** The option that a Ctrl drag along a curve sets: how much later the point plays its loop, s. */
  phase?: string;
  /** The option that the wheel changes during a drag: how much time on either side follows it, s. */
  affectedRange?: string;
  /** A press draws, also on a body: only its handles, and what is armed, can be dragged. */
  drawsFirst?: boolean;
  /** Its strokes are drawn after a button or key, as left drags do something else. */
  strokeMode?: StrokeMode;
  /** Chosen channels are shown on a strip, on which they can be dragged at any frame. */
  dragsChannels?: boolean;
  /** Options that edit the take by themselves: set back once that is done. */
  tunes?: readonly string[];
  /** The option that the Alt wheel changes during a drag: how far in time the edit reaches. */
  timeReach?: string;
  /** The option that the wheel changes during a drag: how many joints above the point may rotate. */
  chainLength?: string;
  /** A button that edits the whole take as options say; the edit stays open until it is applied. */
  whole?: { label: string; hint: string };
  /** What is chosen among its alternatives stays chosen for later edits. */
  keepsChoices?: boolean;
  /** The handle of the key at a frame: the borders between its bars on the timeline are keys. */
  keyHandle?: (frame: number) => string;
  /** A press on the body while the take plays performs that point, until the release. */
  performsPlayingBody?: boolean;
  /** Its performances begin on a body: a press beside it does nothing. */
  performsBody?: boolean;
  /** The frames an edit may change, where the animator can choose them. */
  editRange?: EditRange;
}

export type Gesture = ToolInfo["gestures"][number];

/** What a file of tools/ exports as `tool`: label, gestures and options come from the server. */
export type ToolFile = Pick<StudioTool, "name"> & Partial<Omit<StudioTool, "label" | "gestures">>;

/** What is drawn in the viewport while the tool is active. */
export interface Overlays {
  /** Lines and shapes of constraints. */
  constraints: boolean;
  /** Footplants lie where the feet stand, before and after the shown frame. */
  footplants: boolean;
}

/** How strokes are drawn by a tool that drags, too. */
export interface StrokeMode {
  label: string; // of the button and the command
  hint: string; // shown until something is drawn
}

export interface Panel {
  /** Options under headings, in this order; others come first. */
  groups?: readonly { title: string; options: readonly string[] }[];
  /** What is shown for options that have no value of their own, by name; in the server's unit. */
  shown?: Readonly<Record<string, () => number | null>>;
  /** Options with a control of their own elsewhere. */
  hidden?: readonly string[];
  /** Narrower limits than the server's, in the unit shown. */
  limits?: () => Limits;
  /** Labels of the choices of an option, where their names are not clear enough. */
  choices?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
