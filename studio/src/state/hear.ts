// Puts what the server tells into the state.

import { batch } from "@preact/signals-core";
import type { Told } from "../wire/frame";
import type { Curve, ServerMessage, Frames, Keys, Preview } from "../wire/messages";
import { viewOnly } from "../wire/role";
import * as doc from "./document";
import { endHand, forgotten } from "./ended";
import { forget, held, rotates, settled, settling } from "./hands";
import { tellPlants } from "./plants";
import { tellCount } from "./reduction";
import { options, character, take, points, frame } from "./view";

export function hear(told: Told): void {
  batch(() => put(told.message, told.arrays));
}

function isVoid(message: ServerMessage): boolean {
  if (message.type === "Preview" || message.type === "Notes")
    return forgotten.has(message.interaction);
  return (
    "preview_of" in message && message.preview_of !== null && forgotten.has(message.preview_of)
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
      forgetTakes(); // the line was lost: what has changed meanwhile was not heard
      if (held.peek()) forget(); // the server has forgotten it, too
      settling.value = null;
      options.value = Object.fromEntries(
        message.tools.map((tool) => [
          tool.name,
          {
            ...Object.fromEntries(tool.options.map((o) => [o.name, o.default])),
            ...options.peek()[tool.name],
          },
        ]),
      );
      return;
    case "SceneInfo":
      // a model of the same address: only limits or stiffness have changed
      if (message.model !== doc.cast.peek()?.model) {
        forgetTakes();
        doc.inStep.value = false;
      }
      doc.cast.value = message;
      return;
    case "Document":
      doc.story.value = message;
      doc.inStep.value = true;
      keepBefore(message.done.at(-1) ?? "");
      chooseTake();
      return;
    case "Keys":
      return putKeys(message, arrays);
    case "Frames":
      return putFrames(message, arrays);
    case "Curve":
      return putCurve(message, arrays);
    case "Preview":
      return putPreview(message, arrays);
    case "Footplants":
      return tellPlants(message);
    case "ReductionInfo":
      return tellCount(message);
    case "Notes": {
      const hand = doc.hands.peek().get(message.interaction);
      const settled = message.notes[0]?.amount ?? 0;
      if (hand) putHand({ ...hand, settled, notes: message.notes, offer: message.offer });
      return;
    }
    case "InteractionEnded":
      // by an undo, another document, or something that could not be: the gesture is over
      if (held.peek()?.hand === message.interaction) forget();
      settled(message.interaction);
      forgotten.delete(message.interaction);
      return endHand(message.interaction);
    case "Failure":
      return toast(message.text, "trouble");
    case "Report":
      if (message.severity === "warning") return toast(message.text, "warning"); // the work itself is done
      doc.leftUndone.value = null;
      if (!message.notes?.length) return toast(message.text, "said");
      doc.leftUndone.value = {
        text: message.text,
        notes: message.notes,
        revision: doc.story.peek()?.revision ?? 0,
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
      return toast(`Saved ${message.path}`, "said");
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

let toastCount = 0;

export function toast(text: string, tone: doc.Toast["tone"]): void {
  const id = ++toastCount;
  doc.toasts.value = [...doc.toasts.peek().slice(-3), { id, text, tone }];
  setTimeout(
    () => {
      doc.toasts.value = doc.toasts.peek().filter((each) => each.id !== id);
    },
    tone === "said" ? 4000 : 9000,
  );
}

/** Another cast: nothing that was told of the old one holds. */
function forgetTakes(): void {
  doc.keys.value = new Map();
  doc.liveKeys.value = new Map();
  doc.poses.value = new Map();
  doc.livePoses.value = new Map();
  doc.barePoses.value = new Map();
  doc.curves.value = new Map();
  doc.hands.value = new Map();
  doc.lastEdit.value = null;
  replaced = new Map();
}

/** Keeps the chosen character and take if they are still there, else takes the first. */
function chooseTake(): void {
  const takes = doc.story.peek()?.takes ?? {};
  const names = Object.keys(takes);
  if (!(character.peek() in takes)) {
    character.value = names.find((name) => takes[name]?.length) ?? names[0] ?? "";
    points.value = [];
    frame.value = 0;
  }
  const own = takes[character.peek()] ?? [];
  if (!own.some((each) => each.name === take.peek())) take.value = own[0]?.name ?? "";
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
  const at = doc.takeName(message.character, message.take);
  const told = message.arrays[0]?.shape ?? [0, 0];
  const count = told[0] ?? 0;
  const width = told[1] ?? 0;
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

let replaced = new Map<string, doc.Poses>(); // what the step that is being told has changed

/** The poses before the last step, for comparing. */
function keepBefore(label: string): void {
  if (replaced.size) doc.lastEdit.value = { label, before: replaced };
  replaced = new Map();
}

function putCurve(message: Curve, arrays: Record<string, Float32Array>): void {
  const name = doc.spotName(message.point);
  if (!points.peek().some((each) => doc.spotName(each) === name)) return; // shown no more
  const told = doc.curves.peek().get(name);
  const fit =
    told && told.still.take === message.take && told.still.character === message.character;
  const base = fit ? told.still : null;
  const whole = (arrays["speeds"]?.length ?? 0) === message.total;
  if (!base && (!whole || message.preview_of !== null)) return; // a part of one that was forgotten; all of it is on its way
  const made: doc.MotionCurve = {
    character: message.character,
    take: message.take,
    point: message.point,
    perFrame: message.per_frame,
    positions: patched(base?.positions, arrays["positions"], message, 3),
    orientations: patched(base?.orientations, arrays["orientations"], message, 4),
    speeds: patched(base?.speeds, arrays["speeds"], message, 1),
    keys: message.keys ?? base?.keys ?? [],
  };
  const next =
    message.preview_of !== null && base ? { still: base, live: made } : { still: made, live: null };
  doc.curves.value = new Map(doc.curves.peek()).set(name, next);
}

function patched(
  old: Float32Array | undefined,
  part: Float32Array | undefined,
  message: Curve,
  width: number,
): Float32Array {
  const whole = new Float32Array(message.total * width);
  if (old && old.length === whole.length) whole.set(old);
  if (part) whole.set(part, message.first * width);
  return whole;
}

function putPreview(message: Preview, arrays: Record<string, Float32Array>): void {
  const old = doc.hands.peek().get(message.interaction);
  const short = message.remaining > 5e-4 || rotates(message.interaction);
  putHand({
    hand: message.interaction,
    character: message.character,
    take: message.take,
    time: message.time,
    span: message.span,
    pose: arrays["pose"] ?? new Float32Array(),
    reached: message.reached,
    short: message.remaining,
    settled: null,
    notes: short ? (old?.notes ?? []) : [],
    offer: short ? (old?.offer ?? null) : null,
  });
}

function putHand(hand: doc.HandTold): void {
  doc.hands.value = new Map(doc.hands.peek()).set(hand.hand, hand);
}
