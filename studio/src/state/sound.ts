// The sound of the document, decoded in this page.

import { computed, effect, signal } from "@preact/signals-core";
import type { SoundInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { documentState } from "./document";
import { toast } from "./receive";
import { character, kept, take } from "./view";

export const SOUNDS = ".wav,.ogg,.mp3,.flac,.m4a";
const RATE = 48_000; // samples a second that sounds are decoded to

export const sound = computed<SoundInfo | null>(() => documentState.value?.sound ?? null);
const address = computed(() => sound.value?.address ?? null);
/** Where the sound begins, s of the take, while it is dragged. */
export const draggedStart = signal<number | null>(null);
export const soundStart = computed(() => draggedStart.value ?? sound.value?.start ?? 0);
/** Whether a bit of the sound is heard at each frame that the playhead is moved to. */
export const scrubs = kept("scrubs", true);

/** The sound that is decoded; of an address, as another one may take its place meanwhile. */
const decoded = signal<{ address: string; buffer: AudioBuffer | null } | null>(null);

export const soundBuffer = computed(() =>
  decoded.value?.address === address.value ? (decoded.value?.buffer ?? null) : null,
);

export function isSound(name: string): boolean {
  return SOUNDS.split(",").some((ending) => name.toLowerCase().endsWith(ending));
}

/** Nothing is being decoded. */
export function soundLoaded(): boolean {
  return address.peek() === null || decoded.peek()?.address === address.peek();
}

export function startSounds(): void {
  effect(() => {
    const wanted = address.value;
    if (wanted && decoded.peek()?.address !== wanted) void load(wanted);
  });
  effect(() => {
    void sound.value; // the document has the place that the sound was dragged to
    draggedStart.value = null;
  });
}

async function load(wanted: string): Promise<void> {
  let buffer: AudioBuffer | null = null;
  try {
    const answer = await fetch(new URL(wanted, document.baseURI));
    if (!answer.ok) throw new Error(await answer.text());
    const data = await answer.arrayBuffer();
    buffer = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(data);
  } catch {
    if (address.peek() === wanted)
      toast(`${sound.peek()?.name ?? "The sound"} cannot be decoded by this browser.`, "error");
  }
  if (address.peek() === wanted) decoded.value = { address: wanted, buffer };
}

function here(): { character: string; take: string } {
  return { character: character.peek(), take: take.peek() };
}

export function moveSound(start: number): void {
  send({ type: "ApplyChange", change: { change: "ChangeSound", ...here(), start } });
}

export function muteSound(muted: boolean): void {
  send({ type: "ApplyChange", change: { change: "ChangeSound", ...here(), muted } });
}

export function removeSound(): void {
  send({ type: "ApplyChange", change: { change: "RemoveSound", ...here() } });
}
