// The sound of a video: the stretch of the document's sound that its frames last.

import type { Output } from "mediabunny";
import { sound, soundBuffer } from "../state/sound";
import { rate } from "../state/view";
import { filmedFrames } from "./filmSettings";

const RATE = 48_000; // samples a second
const BITRATE = 160e3; // bits a second

/** Adds a track to a video that has not begun; what it gives writes the sound, where there is any. */
export async function addSoundTrack(output: Output): Promise<() => Promise<void>> {
  const buffer = soundBuffer.peek();
  const info = sound.peek();
  const silent = async () => {};
  if (!buffer || !info || info.muted) return silent;
  const { AudioBufferSource, getFirstEncodableAudioCodec, Quality } = await import("mediabunny");
  const quality = new Quality({ bitrate: BITRATE });
  const shape = { numberOfChannels: Math.min(buffer.numberOfChannels, 2), sampleRate: RATE };
  const codecs = output.format.getSupportedAudioCodecs();
  const liked = (["aac", "opus"] as const).filter((each) => codecs.includes(each));
  const codec = await getFirstEncodableAudioCodec([...liked], { ...shape, quality });
  if (!codec)
    throw new Error("this browser cannot write its sound. Mute it, or choose another format.");
  const [first, last] = filmedFrames();
  const start = info.start - first / rate.peek();
  const seconds = (last - first + 1) / rate.peek();
  const heard = await stretch(buffer, start, seconds, shape.numberOfChannels);
  const source = new AudioBufferSource({ codec, quality });
  output.addAudioTrack(source);
  return () => source.add(heard);
}

/** So many seconds of a sound that begins at `start`, with silence around it. */
function stretch(
  buffer: AudioBuffer,
  start: number,
  seconds: number,
  channels: number,
): Promise<AudioBuffer> {
  const offline = new OfflineAudioContext(channels, Math.ceil(seconds * RATE), RATE);
  const source = offline.createBufferSource();
  source.buffer = buffer;
  source.connect(offline.destination);
  source.start(Math.max(start, 0), Math.max(-start, 0));
  return offline.startRendering();
}
