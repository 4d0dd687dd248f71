// What lies behind the viewport: the camera picture, a chosen picture, or a drawn room.

import { signal } from "@preact/signals-core";
import { toast } from "../state/receive";
import { kept } from "../state/view";
import { drawRoom } from "./room";

const LONGEST = 1280; // px of a chosen picture that is kept

export type Source = "camera" | "picture" | "room";
export const source = kept<Source>("stages_source", "room");
const keptPicture = kept("stages_picture", ""); // a data URL
/** Whether the camera gives pictures now. */
export const isLive = signal(false);

export class Background {
  private readonly video = document.createElement("video");
  private readonly image = document.createElement("img");
  private readonly room = document.createElement("canvas");

  constructor(private readonly place: HTMLElement) {
    this.video.muted = this.video.playsInline = this.video.autoplay = true;
    this.image.alt = this.room.ariaLabel = "";
    place.append(this.room, this.video, this.image);
    new ResizeObserver(() => this.show()).observe(place);
  }

  /** What was used last, without asking; the camera needs `startCamera`. */
  show(): void {
    const hasPicture = source.peek() === "picture" && keptPicture.peek() !== "";
    if (hasPicture) this.image.src = keptPicture.peek();
    const shown = isLive.peek() ? this.video : hasPicture ? this.image : this.room;
    for (const each of [this.video, this.image, this.room]) each.hidden = each !== shown;
    if (shown === this.room) drawRoom(this.room, this.place.clientWidth, this.place.clientHeight);
  }

  /** The camera that looks away from the player; where there is none, or it is refused, the room stays. */
  async startCamera(): Promise<void> {
    try {
      const wanted = { facingMode: "environment", width: { ideal: 1280 } };
      this.video.srcObject = await navigator.mediaDevices.getUserMedia({ video: wanted });
      await this.video.play();
      [isLive.value, source.value] = [true, "camera"];
    } catch {
      toast("There is no camera picture: choose a picture, or use the drawn room.", "warning");
      source.value = "room";
    }
    this.show();
  }

  async choosePicture(file: File): Promise<void> {
    const bitmap = await createImageBitmap(file).catch(() => null);
    if (!bitmap) return toast("This file is no picture.", "warning");
    this.stopCamera();
    keptPicture.value = scaled(bitmap).toDataURL("image/jpeg", 0.8);
    source.value = "picture";
    this.show();
  }

  useRoom(): void {
    this.stopCamera();
    source.value = "room";
    this.show();
  }

  /** The camera picture as it is now. */
  snapshot(): HTMLCanvasElement {
    return scaled(this.video);
  }

  private stopCamera(): void {
    for (const track of (this.video.srcObject as MediaStream | null)?.getTracks() ?? [])
      track.stop();
    this.video.srcObject = null;
    isLive.value = false;
  }
}

/** On a canvas of at most `LONGEST` px. */
export function scaled(picture: ImageBitmap | HTMLVideoElement): HTMLCanvasElement {
  const isVideo = picture instanceof HTMLVideoElement;
  const [width, height] = isVideo
    ? [picture.videoWidth, picture.videoHeight]
    : [picture.width, picture.height];
  const share = Math.min(1, LONGEST / Math.max(width, height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * share), Math.round(height * share)];
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}
