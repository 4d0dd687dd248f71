// Pose commands: key, copy, paste, mirror, reset, tween and the pose library, on the keying set.

import { signal } from "@preact/signals-core";
import type { Change, CopiedPose, StoredPoseInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { documentState, rigOf, takeOf } from "./document";
import { cancelInteraction, commitInteraction, interaction, previewChange } from "./interaction";
import { keyedChannels, posedJoints } from "./keyingSet";
import { character, frame, playing, rate, snap, take } from "./view";

/** A copied pose: values of channels by name, and the joints it was copied of; none is all. */
export const copiedPose = signal<{
  joints: readonly string[];
  values: CopiedPose["values"];
} | null>(null);

export function posesHere(): readonly StoredPoseInfo[] {
  return documentState.value?.poses ?? [];
}

/** Whether the shown take has keys that can be posed. */
export function canPose(): boolean {
  const info = takeOf(character.value, take.value);
  return info !== undefined && info.keyed && info.layers.length === 0;
}

function here(): { character: string; take: string; time: number } {
  const now = snap.peek() ? Math.round(frame.peek()) : frame.peek();
  return { character: character.peek(), take: take.peek(), time: now / rate.peek() };
}

function apply(change: Change): void {
  playing.value = false;
  send({ type: "ApplyChange", change });
}

export function keySelection(): void {
  apply({ change: "AddKeys", ...here(), channels: keyedChannels() });
}

let copying: string[] = [];

export function copyPose(): void {
  copying = jointNames();
  send({ type: "RequestPose", ...here() });
}

export function receiveCopiedPose({ values }: CopiedPose): void {
  copiedPose.value = { joints: copying, values };
}

/** On the joints it was copied of. */
export function pastePose(mirrored = false): void {
  const copied = copiedPose.peek();
  if (!copied) return;
  const { joints, values } = copied;
  apply({ change: "PastePose", ...here(), joints: indicesOf(joints), values, mirrored });
}

export function mirrorPose(): void {
  apply({ change: "MirrorPose", ...here(), joints: posedJoints() });
}

export function resetPose(): void {
  apply({ change: "ResetPose", ...here(), joints: posedJoints() });
}

/** A slider that previews a change while it moves; the release is one step. */
export class SlidChange {
  private id: number | null = null;

  constructor(private readonly changeAt: (share: number) => Change) {}

  slide(share: number): void {
    playing.value = false;
    if (this.id !== null && interaction.peek()?.id !== this.id) return; // something else ended it
    this.id = previewChange(this.changeAt(share));
  }

  end(keep: boolean): void {
    const holds = this.id !== null && interaction.peek()?.id === this.id;
    this.id = null;
    if (holds && keep) commitInteraction();
    else if (holds) cancelInteraction();
  }
}

export function tweenAt(share: number): Change {
  return { change: "TweenPose", ...here(), joints: posedJoints(), share };
}

export function storedPoseAt(index: number, weight: number, mirrored = false): Change {
  return { change: "ApplyStoredPose", ...here(), joints: posedOf(index), index, weight, mirrored };
}

export function applyStoredPose(index: number, mirrored = false): void {
  apply(storedPoseAt(index, 1, mirrored));
}

export function storePose(name: string, picture: string): void {
  apply({ change: "StorePose", ...here(), joints: posedJoints(), name, picture });
}

export function renamePose(index: number, name: string): void {
  apply({ change: "RenamePose", character: character.peek(), take: take.peek(), index, name });
}

export function removePose(index: number): void {
  apply({ change: "RemovePose", character: character.peek(), take: take.peek(), index });
}

function jointNames(): string[] {
  const names = rigJoints();
  return posedJoints().map((joint) => names[joint] ?? "");
}

/** The selected ones among the joints of a stored pose; all of them where none is. */
function posedOf(index: number): number[] {
  const own = new Set(indicesOf(posesHere()[index]?.joints ?? []));
  const some = posedJoints().filter((joint) => own.has(joint));
  return some.length ? some : [];
}

function indicesOf(names: readonly string[]): number[] {
  const all = rigJoints();
  return names.map((name) => all.indexOf(name)).filter((joint) => joint >= 0);
}

function rigJoints(): readonly string[] {
  return rigOf(character.peek())?.joints ?? [];
}
