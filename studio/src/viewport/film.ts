// Pictures and films of the viewport, as it looks now, without what only hands need.

import { frame, playing, playRange, rate } from "../state/view";
import { Gif } from "./gif";
import { stage, type Stage } from "./stage";

const GIF_WIDEST = 720; // px
const SLOW_ENCODER = 250; // ms for the last frames to arrive
const EMPTY_FILM = 1000; // bytes: a head and nothing behind it

export async function snapshot(): Promise<Blob> {
  const here = theStage();
  here.gizmo.off = true;
  here.draw();
  here.gizmo.off = false;
  const made = blobOf((done) => here.canvas.toBlob(done, "image/png"));
  here.changed();
  return made;
}

/** Plays the playback range once in its own time and films it. */
export async function recordWebm(tell: (share: number) => void): Promise<Blob> {
  const here = theStage();
  const kind = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((each) => MediaRecorder.isTypeSupported(each));
  if (!kind) throw new Error("this browser cannot write WebM");
  const stream = here.canvas.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 8e6 });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  const ended = new Promise((done) => recorder.addEventListener("stop", done, { once: true }));
  recorder.start();
  const began = performance.now();
  try {
    await eachFrame(here, async (_, share, number) => {
      track.requestFrame();
      tell(share);
      await new Promise(requestAnimationFrame); // it is taken when it is painted
      await until(began + ((number + 1) * 1000) / rate.peek());
    });
    await until(performance.now() + SLOW_ENCODER);
  } finally {
    recorder.stop(); // also where the film is called off
    await ended;
    stream.getTracks().forEach((each) => each.stop());
  }
  const film = new Blob(parts, { type: "video/webm" });
  if (film.size < EMPTY_FILM) throw new Error("the browser filmed nothing. A GIF of the same may work.");
  return film;
}

/** The same as an animated GIF, which loops for ever. */
export async function recordGif(tell: (share: number) => void): Promise<Blob> {
  const here = theStage();
  const shrink = Math.min(1, GIF_WIDEST / here.canvas.width);
  const [width, height] = [Math.round(here.canvas.width * shrink), Math.round(here.canvas.height * shrink)];
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
  const [first, last] = playRange.peek();
  await eachFrame(here, async () => void seen.push(look()), Math.max((last - first) / 3, 1));
  const gif = new Gif(width, height, Math.max(2, Math.round((100 * every) / rate.peek())), seen);
  await eachFrame(
    here,
    async (_, share) => {
      gif.add(look());
      tell(share);
      await new Promise((done) => setTimeout(done));
    },
    every,
  );
  return gif.end();
}

/** Shows each whole frame of the playback range; everything is as before afterwards. */
async function eachFrame(
  here: Stage,
  film: (at: number, share: number, number: number) => Promise<void>,
  every = 1,
): Promise<void> {
  const [first, last] = playRange.peek();
  const before = { frame: frame.peek(), playing: playing.peek() };
  playing.value = false;
  here.gizmo.off = true;
  try {
    const count = Math.max(1, Math.floor((last - first) / every) + 1);
    for (let i = 0; i < count; i++) {
      frame.value = first + i * every;
      here.draw();
      await film(frame.peek(), (i + 1) / count, i);
    }
  } finally {
    here.gizmo.off = false;
    frame.value = before.frame;
    playing.value = before.playing;
  }
}

function until(time: number): Promise<void> {
  return new Promise((done) => setTimeout(done, Math.max(0, time - performance.now())));
}

function blobOf(make: (done: (blob: Blob | null) => void) => void): Promise<Blob> {
  return new Promise((done, failed) => make((blob) => (blob ? done(blob) : failed(new Error("the picture is empty")))));
}

function theStage(): Stage {
  if (!stage) throw new Error("there is no viewport");
  return stage;
}
