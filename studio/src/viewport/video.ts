// Images and videos of the viewport, without gizmos and labels.

import type { Output, VideoCodec } from "mediabunny";
import { frame, rate } from "../state/view";
import { filmedFrames, filming } from "./filmSettings";
import { Gif } from "./gif";
import { addSoundTrack } from "./soundTrack";
import { stage, type Stage } from "./stage";

const GIF_WIDEST = 720; // px
const BITRATE = 8e6; // bits a second
const KEY_INTERVAL = 2.5; // s from one frame that stands alone to the next

export function snapshot(): Promise<Blob> {
  const here = theStage();
  return filming(here, true, async () => pngOf(here.canvas));
}

/** At once: `toBlob` waits for idle moments, which a page that draws all the time has few of. */
function pngOf(canvas: HTMLCanvasElement): Blob {
  const [kind, text] = canvas.toDataURL("image/png").split(",");
  if (!kind?.startsWith("data:image/png") || !text) throw new Error("the picture is empty");
  return new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], {
    type: "image/png",
  });
}

const CODECS: Record<"webm" | "mp4", VideoCodec[]> = {
  webm: ["vp9", "vp8"],
  mp4: ["avc", "av1", "vp9"],
};

/** Every frame at its own time, however long drawing takes. */
export async function recordVideo(
  kind: "webm" | "mp4",
  report: (share: number) => void,
): Promise<Blob> {
  const here = theStage();
  const { BufferTarget, Mp4OutputFormat, Output, WebMOutputFormat } = await import("mediabunny"); // when it is needed
  const format = kind === "mp4" ? new Mp4OutputFormat() : new WebMOutputFormat();
  const output = new Output({ format, target: new BufferTarget() });
  try {
    await filming(here, false, () => encodeFrames(here, output, CODECS[kind], report));
    await output.finalize();
  } catch (trouble) {
    await output.cancel(); // also where the film is called off
    throw trouble;
  }
  return new Blob([output.target.buffer ?? ""], { type: `video/${kind}` });
}

async function encodeFrames(
  here: Stage,
  output: Output,
  codecs: VideoCodec[],
  report: (share: number) => void,
): Promise<void> {
  const { getFirstEncodableVideoCodec, Quality, VideoSample, VideoSampleSource } =
    await import("mediabunny");
  const [width, height] = [here.canvas.width & ~1, here.canvas.height & ~1]; // encoders want them even
  const quality = new Quality({ bitrate: BITRATE });
  const codec = await getFirstEncodableVideoCodec(codecs, { width, height, quality });
  if (!codec) throw new Error("this browser cannot write such a video. Another format may work.");
  const source = new VideoSampleSource({ codec, quality, keyFrameInterval: KEY_INTERVAL });
  output.addVideoTrack(source);
  const addSound = await addSoundTrack(output);
  await output.start();
  await addSound();
  const frameTime = 1e6 / rate.peek();
  await eachFrame(here, async (_, share, number) => {
    const timing = { timestamp: Math.round(number * frameTime), duration: Math.round(frameTime) };
    const visibleRect = { x: 0, y: 0, width, height };
    const sample = new VideoSample(new VideoFrame(here.canvas, { ...timing, visibleRect }));
    await source.add(sample); // waits while the encoder has enough to do
    sample.close();
    report(share);
    await pause();
  });
}

/** The same as an animated GIF, which loops for ever. */
export function recordGif(report: (share: number) => void): Promise<Blob> {
  const here = theStage();
  return filming(here, false, () => gifOf(here, report));
}

async function gifOf(here: Stage, report: (share: number) => void): Promise<Blob> {
  const shrink = Math.min(1, GIF_WIDEST / here.canvas.width);
  const [width, height] = [
    Math.round(here.canvas.width * shrink),
    Math.round(here.canvas.height * shrink),
  ];
  const flat = document.createElement("canvas");
  [flat.width, flat.height] = [width, height];
  const brush = flat.getContext("2d", { willReadFrequently: true });
  if (!brush) throw new Error("this browser gives no picture to draw on");
  // GIFs count in hundredths of a second, and no viewer plays more than 50 in one
  const every = Math.max(1, Math.round(rate.peek() / 30));
  const look = () => {
    brush.drawImage(here.canvas, 0, 0, width, height);
    return brush.getImageData(0, 0, width, height).data;
  };
  const seen: Uint8ClampedArray[] = [];
  const [first, last] = filmedFrames();
  await eachFrame(here, async () => void seen.push(look()), Math.max((last - first) / 3, 1));
  const gif = new Gif(width, height, Math.max(2, Math.round((100 * every) / rate.peek())), seen);
  await eachFrame(
    here,
    async (_, share) => {
      gif.add(look());
      report(share);
      await pause();
    },
    every,
  );
  return gif.end();
}

/** Shows each whole frame of the range. */
async function eachFrame(
  here: Stage,
  film: (at: number, share: number, number: number) => Promise<void>,
  every = 1,
): Promise<void> {
  const [first, last] = filmedFrames();
  const count = Math.max(1, Math.floor((last - first) / every) + 1);
  for (let i = 0; i < count; i++) {
    frame.value = first + i * every;
    here.draw();
    await film(frame.peek(), (i + 1) / count, i);
  }
}

function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

function theStage(): Stage {
  if (!stage) throw new Error("there is no viewport");
  return stage;
}
