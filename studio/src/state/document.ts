// State from the server: the document, and previews of interactions in progress.

import { signal } from "@preact/signals-core";
import type {
  ClientInfo,
  Document,
  DragInfo,
  ExtrapolationType,
  FileInfo,
  Job,
  MeshInfo,
  NoteInfo,
  OfferInfo,
  Overlay,
  PointRef,
  PoseInfo,
  RecentInfo,
  RigInfo,
  Saved,
  SceneInfo,
  TakeInfo,
  Welcome,
} from "../wire/messages";

export const welcome = signal<Welcome | null>(null);
/** Windows and phones that are connected, this one included. */
export const clients = signal<readonly ClientInfo[]>([]);
export const sceneInfo = signal<SceneInfo | null>(null);
/** Whether scene info and document belong together; between two messages, or after a reconnect, they do not. */
export const inStep = signal(false);
export const documentState = signal<Document | null>(null); // `document` is the DOM's
export const jobs = signal<ReadonlyMap<number, Job>>(new Map());
/** Documents left by a crash, then files opened lately. */
export const recent = signal<readonly RecentInfo[]>([]);
export const folder = signal<{ folder: string; entries: FileInfo[] } | null>(null);

/** A folder inside the opened one as it is named to people: with the name of the opened one. */
export function placeOf(inside: string): string {
  return [welcome.value?.folder, inside].filter(Boolean).join("/");
}

/** The last save of this window that went well. */
export const lastSaved = signal<Saved | null>(null);

/** Short messages at the edge of the viewport; the newest last. */
export interface Toast {
  id: number;
  text: string;
  tone: "info" | "warning" | "error";
}
export const toasts = signal<readonly Toast[]>([]);

/** What slow work has left undone, until the document changes. */
export const leftUndone = signal<{
  text: string;
  notes: readonly NoteInfo[];
  revision: number;
} | null>(null);

/** The keys of one channel, nine numbers each: see `Keys` in the messages. */
export interface ChannelKeys {
  rows: Float32Array; // (K, 9)
  beyond: [ExtrapolationType, ExtrapolationType];
}
/** By `takeName(character, take)`, then by channel. Replaced, never changed in place. */
export const keys = signal<ReadonlyMap<string, ReadonlyMap<number, ChannelKeys>>>(new Map());
/** Keys in previews; where a channel is missing here, `keys` applies. */
export const liveKeys = signal<ReadonlyMap<string, ReadonlyMap<number, ChannelKeys>>>(new Map());

/** Poses of whole frames of a take; `null` where they are not loaded. */
export interface Poses {
  width: number; // floats per frame
  frames: (Float32Array | null)[];
}
export const poses = signal<ReadonlyMap<string, Poses>>(new Map());
/** Poses of takes without their layers, where they are compared with. */
export const barePoses = signal<ReadonlyMap<string, Poses>>(new Map());

/** Previewed frames, over `poses`. */
export const livePoses = signal<ReadonlyMap<string, ReadonlyMap<number, Float32Array>>>(new Map());

/** A motion curve as it is drawn. */
export interface MotionCurve {
  character: string;
  take: string;
  point: PointRef;
  perFrame: number; // samples per frame; sample i is at frame i / perFrame
  positions: Float32Array; // (T, 3)
  orientations: Float32Array; // (T, 4) xyzw
  speeds: Float32Array; // (T,) m/s
  keys: number[]; // s
}
/** By `pointKey`. `live` is the preview. */
export const curves = signal<ReadonlyMap<string, { still: MotionCurve; live: MotionCurve | null }>>(
  new Map(),
);

/** A pose of one take, as an interaction would leave it. */
export interface PreviewPose extends PoseInfo {
  values: Float32Array;
}

/** The vertices of one part of a shape that an interaction would move. */
export interface PreviewMesh extends MeshInfo {
  moved: Float32Array; // (K, 4): index, offset
}

/** The server's latest preview of an interaction. */
export interface InteractionPreview {
  id: number;
  poses: PreviewPose[];
  meshes: PreviewMesh[];
  span: [number, number] | null; // s
  drag: DragInfo | null; // how far a drag has come, by the quick answer
  overlays: Overlay[];
  solvedRemaining: number | null; // m, of the result of a release; null until the pointer has rested
  notes: NoteInfo[];
  offer: OfferInfo | null;
}
export const previews = signal<ReadonlyMap<number, InteractionPreview>>(new Map());

/** The previewed poses of a take. */
export function posesOf(character: string, take: string): PreviewPose[] {
  return [...previews.value.values()]
    .flatMap((preview) => preview.poses)
    .filter((pose) => pose.character === character && pose.take === take && pose.values.length > 0);
}

/** The pose of a character that is being acted: its body is there, whatever frame is shown. */
export function actedPose(character: string): PreviewPose | undefined {
  return [...previews.value.values()]
    .flatMap((preview) => preview.poses)
    .find((pose) => pose.acted && pose.character === character && pose.values.length > 0);
}

/** The last edit that was kept: for comparing before and after. */
export const lastEdit = signal<{ label: string; before: ReadonlyMap<string, Poses> } | null>(null);

export function takeName(character: string, take: string): string {
  return `${character}\n${take}`;
}

export function pointKey(point: PointRef): string {
  return [
    point.character ?? "",
    point.joint,
    ...(point.offset ?? [0, 0, 0]).map((x) => x.toFixed(4)),
  ].join("\n");
}

export function rigOf(character: string): RigInfo | undefined {
  return sceneInfo.value?.rigs.find((rig) => rig.name === character);
}

export function takeOf(character: string, take: string): TakeInfo | undefined {
  return documentState.value?.takes[character]?.find((each) => each.name === take);
}
