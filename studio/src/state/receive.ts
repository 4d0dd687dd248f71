// Puts messages from the server into the state.

import { batch } from "@preact/signals-core";
import type { ReceivedMessage } from "../wire/frame";
import type {
  Document,
  ServerMessage,
  Frames,
  Keys,
  Preview,
  RigInfo,
  ToolInfo,
  RetimedInfo,
} from "../wire/messages";
import { viewOnly } from "../wire/role";
import { besideInteractions, forgetBeside } from "./besideInteractions";
import { isBesideOwn } from "./othersPreviews";
import * as doc from "./document";
import { clearPreview, cancelled } from "./discardPreview";
import {
  cancelInteraction,
  committing,
  ended,
  forgetCommitted,
  interaction,
  isRotating,
  returnToReview,
  type OptionValues,
} from "./interaction";
import { receiveFootplants } from "./footplants";
import { receiveProposedEvents } from "./proposedEvents";
import { receiveCount } from "./reduction";
import { receivePicture } from "./takePictures";
import { receiveRestOverlays } from "./restOverlays";
import { putCurve } from "./receiveCurve";
import { followRetimed, followUndo, withTimingNote } from "./retimed";
import { activeTraits } from "./toolTraits";
import { playFrom } from "./playback";
import { receiveCopiedPose } from "./poses";
import { firstShown, type Shown } from "./shownTakes";
import {
  options,
  character,
  chosenChannels,
  chosenKeys,
  take,
  points,
  firstFrame,
  frame,
  playsPerformed,
  range,
  rate,
  selectedConstraint,
} from "./view";

export function receive(info: ReceivedMessage): void {
  batch(() => put(info.message, info.arrays));
}

/** Options as chosen before, of those that the tool has; the others as it has them. */
function optionValues({ options: known }: ToolInfo, chosen: OptionValues = {}): OptionValues {
  const values = known.map(({ name, default: start }) => [name, start]);
  const kept = known.filter(({ name }) => name in chosen).map(({ name }) => [name, chosen[name]]);
  return Object.fromEntries([...values, ...kept]) as OptionValues;
}

function isVoid(message: ServerMessage): boolean {
  if (isBesideOwn(message)) return true;
  if (message.type === "Preview" || message.type === "Notes")
    return cancelled.has(message.interaction);
  return (
    "preview_of" in message && message.preview_of !== null && cancelled.has(message.preview_of)
  );
}

function put(message: ServerMessage, arrays: Record<string, Float32Array>): void {
  if (isVoid(message)) return;
  switch (message.type) {
    case "Welcome":
      doc.welcome.value = message;
      viewOnly.value = message.role === "view";
      doc.recent.value = message.recent;
      doc.inStep.value = false;
      clearTakes(); // the connection was lost: changes meanwhile were missed
      if (interaction.peek()) cancelInteraction(); // the server has cancelled it, too
      forgetCommitted();
      options.value = Object.fromEntries(
        message.tools.map((tool) => [tool.name, optionValues(tool, options.peek()[tool.name])]),
      );
      return;
    case "Clients":
      doc.clients.value = message.clients;
      return;
    case "SceneInfo":
      // a model of the same address: only limits or stiffness have changed
      if (message.model !== doc.sceneInfo.peek()?.model) {
        clearTakes();
        deselectLost(message.rigs);
        doc.inStep.value = false;
      }
      doc.sceneInfo.value = message;
      return;
    case "Document": {
      const opened = isOpened(message);
      const shown = opened ? firstShown(message) : addedTake(message);
      if (opened) selectNothing();
      doc.documentState.value = message;
      followUndo(message.done.length, opened);
      doc.inStep.value = true;
      rememberBefore(message.done.at(-1) ?? "");
      chooseTake(shown);
      return;
    }
    case "Keys":
      return putKeys(message, arrays);
    case "CopiedPose":
      return receiveCopiedPose(message);
    case "Frames":
      return putFrames(message, arrays);
    case "Curve":
      return putCurve(message, arrays);
    case "Preview":
      return putPreview(message, arrays);
    case "Footplants":
      return receiveFootplants(message);
    case "ProposedEvents":
      return receiveProposedEvents(message);
    case "RestOverlays":
      return receiveRestOverlays(message);
    case "ReductionInfo":
      return receiveCount(message);
    case "Notes": {
      const preview = doc.previews.peek().get(message.interaction);
      const solvedRemaining = message.notes[0]?.amount ?? 0;
      if (preview)
        putInteraction({ ...preview, solvedRemaining, notes: message.notes, offer: message.offer });
      return;
    }
    case "InteractionEnded":
      // by an undo, another document, or something that could not be: the gesture is over
      if (interaction.peek()?.id === message.interaction) cancelInteraction();
      if (message.committed && committing.peek().has(message.interaction))
        playPerformed(message.interaction);
      if (message.retimed) receiveRetimed(message.interaction, message.retimed);
      ended(message.interaction);
      forgetBeside(message.interaction);
      cancelled.delete(message.interaction);
      return clearPreview(message.interaction, interaction.peek() !== null);
    case "InteractionUnchanged":
      toast(whyUnchanged(message.interaction), "info");
      return returnToReview(message.interaction);
    case "Failure":
      return toast(message.text, "error");
    case "Report":
      if (message.severity === "warning") return toast(message.text, "warning"); // the work itself is done
      doc.leftUndone.value = null;
      if (!message.notes?.length) return toast(message.text, "info");
      doc.leftUndone.value = {
        text: message.text,
        notes: message.notes,
        revision: doc.documentState.peek()?.revision ?? 0,
      };
      return;
    case "Job": {
      const jobs = new Map(doc.jobs.peek());
      if (message.share >= 1) jobs.delete(message.job);
      else jobs.set(message.job, message);
      doc.jobs.value = jobs;
      return;
    }
    case "Saved":
      doc.lastSaved.value = message;
      return toast(`Saved ${message.path} in the folder ${doc.placeOf("")}`, "info");
    case "Download": {
      const link = document.createElement("a");
      const address = new URL(message.address, document.baseURI);
      link.href = address.href;
      link.download = message.name;
      link.click();
      return;
    }
    case "Recent":
      doc.recent.value = message.recent;
      return;
    case "Folder":
      doc.folder.value = { folder: message.folder, entries: message.entries };
  }
}

/** Why nothing of a review was kept, by its first note. */
function whyUnchanged(id: number): string {
  const why = doc.previews.peek().get(id)?.notes[0]?.text;
  return why ? `Nothing kept yet. ${why}` : "Nothing kept yet: it would change nothing.";
}

/** Frames moved in time: the playhead follows, and the note says so. */
function receiveRetimed(interaction: number, info: RetimedInfo): void {
  followRetimed(info, doc.documentState.peek()?.done.length ?? 0);
  const preview = doc.previews.peek().get(interaction);
  if (preview) putInteraction({ ...preview, notes: withTimingNote(preview.notes, info) });
}

let toastCount = 0;

export function toast(text: string, tone: doc.Toast["tone"]): void {
  const id = ++toastCount;
  doc.toasts.value = [...doc.toasts.peek().slice(-3), { id, text, tone }];
  setTimeout(
    () => {
      doc.toasts.value = doc.toasts.peek().filter((each) => each.id !== id);
    },
    tone === "info" ? 4000 : 9000,
  );
}

/** Drops what belongs to the previous scene. */
function clearTakes(): void {
  doc.keys.value = new Map();
  doc.liveKeys.value = new Map();
  doc.poses.value = new Map();
  doc.livePoses.value = new Map();
  doc.barePoses.value = new Map();
  doc.curves.value = new Map();
  doc.previews.value = new Map();
  doc.lastEdit.value = null;
  replaced = new Map();
}

/** Deselects points that these rigs do not have: rigs of different files share names such as "RootNode". */
function deselectLost(rigs: readonly RigInfo[]): void {
  const joints = new Map(rigs.map((rig) => [rig.name, new Set(rig.joints)]));
  points.value = points.peek().filter((each) => joints.get(each.character ?? "")?.has(each.joint));
}

/** Another document begins with nothing selected, also where names are the same. */
function selectNothing(): void {
  points.value = [];
  chosenKeys.value = new Set();
  chosenChannels.value = new Set();
  selectedConstraint.value = null;
  range.value = null;
}

/** Whether this is another document, not a later state of the same one. */
function isOpened({ path, name }: Document): boolean {
  const before = doc.documentState.peek();
  return !before || (!doc.inStep.peek() && (before.path !== path || before.name !== name));
}

/** The take that an edit of the active tool has added to the shown character, if any. */
function addedTake(message: Document): Shown | null {
  const before = doc.documentState.peek();
  if (!before || !activeTraits().makesTakes || message.done.length <= before.done.length)
    return null;
  const known = new Set(before.takes[character.peek()]?.map((each) => each.name));
  const added = message.takes[character.peek()]?.filter((each) => !known.has(each.name)) ?? [];
  return added.length === 1 ? { character: character.peek(), take: added[0]!.name } : null;
}

/** What was performed is played at once, unless this window rests at its end. */
function playPerformed(id: number): void {
  const isHeld = interaction.peek() !== null || besideInteractions.peek().size > 0; // another one
  if (!playsPerformed.peek() || isHeld) return;
  const preview = doc.previews.peek().get(id);
  if (preview?.poses.some((pose) => pose.acted)) playFrom(preview.span?.[0] ?? 0);
}

/** Shows another take; else keeps the chosen one if it is still there, or takes the first. */
function chooseTake(shown: Shown | null): void {
  if (shown) {
    character.value = shown.character;
    take.value = shown.take;
    frame.value = firstFrame.value;
  }
  const takes = doc.documentState.peek()?.takes ?? {};
  const names = Object.keys(takes);
  if (!(character.peek() in takes)) {
    character.value = names.find((name) => takes[name]?.length) ?? names[0] ?? "";
    points.value = [];
    frame.value = 0;
  }
  const own = takes[character.peek()] ?? [];
  if (own.some((each) => each.name === take.peek())) return;
  take.value = own[0]?.name ?? "";
  frame.value = firstFrame.value;
}

function putKeys(message: Keys, arrays: Record<string, Float32Array>): void {
  const at = doc.takeName(message.character, message.take);
  const place = message.preview_of === null ? doc.keys : doc.liveKeys;
  const channels = new Map(place.peek().get(at));
  const rows = arrays["keys"] ?? new Float32Array();
  let first = 0;
  message.channels.forEach((channel, i) => {
    const count = message.counts[i] ?? 0;
    if (count === 0) channels.delete(channel);
    else
      channels.set(channel, {
        rows: rows.slice(9 * first, 9 * (first + count)),
        beyond: message.extrapolation[i] ?? ["hold", "hold"],
      });
    first += count;
  });
  place.value = new Map(place.peek()).set(at, channels);
}

function putFrames(message: Frames, arrays: Record<string, Float32Array>): void {
  if (receivePicture(message, () => arrays["poses"] ?? new Float32Array())) return;
  const at = doc.takeName(message.character, message.take);
  const info = message.arrays[0]?.shape ?? [0, 0];
  const count = info[0] ?? 0;
  const width = info[1] ?? 0;
  const block = arrays["poses"] ?? new Float32Array();
  const each = (i: number) => block.subarray(width * i, width * (i + 1));
  if (message.preview_of !== null) {
    const live = new Map(doc.livePoses.peek().get(at));
    for (let i = 0; i < count; i++) live.set(message.first + i, each(i));
    doc.livePoses.value = new Map(doc.livePoses.peek()).set(at, live);
    return;
  }
  if (message.without_layers) return putBare(at, message.first, count, width, each);
  const known = doc.poses.peek().get(at);
  const again = known?.frames
    .slice(message.first, message.first + count)
    .some((pose) => pose !== null);
  if (known && again && !replaced.has(at)) replaced.set(at, known);
  const frames = [...(known?.frames ?? [])];
  while (frames.length < message.first + count) frames.push(null);
  for (let i = 0; i < count; i++) frames[message.first + i] = each(i);
  doc.poses.value = new Map(doc.poses.peek()).set(at, { width, frames });
}

function putBare(
  at: string,
  first: number,
  count: number,
  width: number,
  each: (i: number) => Float32Array,
): void {
  const frames = [...(doc.barePoses.peek().get(at)?.frames ?? [])];
  while (frames.length < first + count) frames.push(null);
  for (let i = 0; i < count; i++) frames[first + i] = each(i);
  doc.barePoses.value = new Map(doc.barePoses.peek()).set(at, { width, frames });
}

let replaced = new Map<string, doc.Poses>(); // poses before the step that is arriving

/** The poses before the last step, for comparing. */
function rememberBefore(label: string): void {
  if (replaced.size) doc.lastEdit.value = { label, before: replaced };
  replaced = new Map();
}

function putPreview(message: Preview, arrays: Record<string, Float32Array>): void {
  const old = doc.previews.peek().get(message.interaction);
  const { interaction: id, poses, meshes, span, drag, overlays } = message;
  const remaining = (drag?.remaining ?? 0) > 5e-4 || isRotating(id) || !drag;
  putInteraction({
    id,
    poses: poses.map((pose, i) => ({ ...pose, values: arrays[`pose${i}`] ?? new Float32Array() })),
    meshes: meshes.map((mesh, i) => ({
      ...mesh,
      moved: arrays[`mesh${i}`] ?? new Float32Array(),
    })),
    span,
    drag,
    overlays,
    solvedRemaining: null,
    notes: remaining ? (old?.notes ?? []) : [],
    offer: remaining ? (old?.offer ?? null) : null,
  });
  const acted = poses.find((pose) => pose.acted && pose.character === character.peek());
  if (acted && interaction.peek()?.id === id) frame.value = acted.time * rate.peek();
  if (!old && !drag && span && interaction.peek()?.id === id) showSpan(span);
}

/** Goes to the start of what an edit of the whole take changes, unless a part of it is shown. */
function showSpan([first, last]: [number, number]): void {
  const time = frame.peek() / rate.peek();
  if (time < first || time > last) frame.value = Math.round(first * rate.peek());
}

function putInteraction(preview: doc.InteractionPreview): void {
  doc.previews.value = new Map(doc.previews.peek()).set(preview.id, preview);
}
