// View state of this window: selection, playhead, what is shown.

import { computed, effect, signal, type Signal } from "@preact/signals-core";
import type { PointRef } from "../wire/messages";
import { takeOf } from "./document";

/** The active tool, by its name on the server; "" until the tools are registered. */
export const tool = signal("");
/** Options of every tool as they stand, by tool and option. */
export const options = signal<
  Readonly<Record<string, Record<string, boolean | number | string | null>>>
>({});

export const character = signal("");
export const take = signal("");
export type Verb = "move" | "turn" | "time" | "draw" | "box";
/** What the next drag does, chosen by a key; null for what it does without. */
export const armed = signal<Verb | null>(null);

/** Points whose curves are shown; the last one is the one that acts. */
export const points = signal<readonly PointRef[]>([]);

/** The character that a device points at: its outline is drawn. */
export const outlined = signal("");

/** The frames of what lies under the pointer in the viewport; null where nothing does. */
export const aimed = signal<readonly [number, number] | null>(null);

/** Where playback is, in frames; need not be whole. */
export const frame = signal(0);
export const playing = signal(false);
/** Whether what was performed plays as soon as it is made. */
export const playsPerformed = signal(true);
export const loopMode = signal<"once" | "loop" | "pingpong">("loop");
/** 1 is real time. */
export const pace = signal(1);
/** Playback range in frames; null is the whole take. */
export const range = signal<readonly [number, number] | null>(null);

export const rate = computed(() => takeOf(character.value, take.value)?.rate ?? 24);
export const lastFrame = computed(() => {
  const info = takeOf(character.value, take.value);
  return info ? Math.floor(info.duration * info.rate + 1e-3) : 0;
});
/** The first frame of the motion: captures often begin with some of a reference pose. */
export const firstFrame = computed(() => takeOf(character.value, take.value)?.lead_in ?? 0);
export const playRange = computed<readonly [number, number]>(
  () => range.value ?? [firstFrame.value, lastFrame.value],
);

/** Keys selected in the dope sheet or the graph: "channel/key". */
export const chosenKeys = signal<ReadonlySet<string>>(new Set());
/** Channels shown in the graph and listed in the dope sheet; empty is those of the selection. */
export const chosenChannels = signal<ReadonlySet<number>>(new Set());
/** The selected pin, contact, detected footplant or constraint. */
export const selectedConstraint = signal<{
  kind: "pin" | "contact" | "footplant" | "constraint";
  index: number;
} | null>(null);

export const sheet = signal<"dope" | "graph">("dope");
export const snap = signal(true);

/** A signal that is remembered from one visit to the next. */
export function kept<T>(name: string, first: T): Signal<T> {
  const stored = localStorage.getItem(`arcwright.${name}`);
  let value = first;
  try {
    if (stored !== null) value = JSON.parse(stored) as T;
  } catch {
    // a value that cannot be read is replaced by the first
  }
  const made = signal(value);
  effect(() => localStorage.setItem(`arcwright.${name}`, JSON.stringify(made.value)));
  return made;
}

/** What is remembered from one visit to the next. */
export const theme = kept<"dark" | "light" | "system">("theme", "dark");
/** How large the interface is, 1 as designed. */
export const uiScale = kept("ui_scale", 1);
export const keymap = kept<"blender" | "maya">("keymap", "blender");
export const ghosts = kept("ghosts", { on: false, before: 2, after: 2, step: 4 });
export const strobe = kept("strobe", { on: false, every: 8 });
export const speedColours = kept("speed", false);
export const orientationArrows = kept("arrows", false);
export const compare = signal(false); // the last edit's before, striped
export const original = kept("original", false); // the take without its layers, striped
export const showMesh = kept("mesh", true);
export const showBones = kept("bones", false);
export const showMarkers = kept("marks", true); // pins and contacts
export const showConstraints = kept("constraints", true);
export const selectedOnlyMarkers = kept("own_marks", false); // only those of selected points
export const floorOn = kept("floor", true);
export const lightEffects = kept("light_effects", true); // shadows, and a soft room that metal and gloss mirror
/** Whether the camera follows the character, as chosen by the switch; null until then. */
const chosenFollow = kept<boolean | null>("follow_choice", null);
/** Whether the camera moves along the ground with the character; null until a take leaves the first view. */
export const followCharacter = signal(chosenFollow.peek());
export const autoKey = kept("auto_key", true); // a release keys the pose
export const returnsToFrame = kept("returns", false); // after a drag at another frame
export const previewDraggedFrame = kept("follow", true); // show the dragged frame while dragging

export function chooseFollow(on: boolean): void {
  followCharacter.value = chosenFollow.value = on;
}

/** For another take: as chosen, or as the take needs it. */
export function resetFollow(): void {
  followCharacter.value = chosenFollow.peek();
}
