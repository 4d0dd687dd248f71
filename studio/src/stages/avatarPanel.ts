// The avatar from a photo: joints are dragged to where they are in it, then pose and colours become the character's.

import { signal } from "@preact/signals-core";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import { documentState, rigOf } from "../state/document";
import { toast } from "../state/receive";
import { character, take } from "../state/view";
import { placedAt } from "../viewport/shownPose";
import type { Stage } from "../viewport/stage";
import type { Vec2 } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { send } from "../wire/socket";
import { isLive, scaled, type Background } from "./background";
import { bonesBetween, clothingPixels, firstMarks, type Marks } from "./photoJoints";
import { drawFigure } from "./room";

const TAP = 5; // px: a press that moves less turns a joint to the other side

const photo = signal<HTMLCanvasElement | null>(null);
const address = signal(""); // of the photo, for the page
const marks = signal<Marks>({});
const flipped = signal<ReadonlySet<string>>(new Set());
/** Steps of the document when the avatar was sent; null before. */
const sentAt = signal<number | null>(null);

/** Whether the server has made the avatar. */
export function isAvatarMade(): boolean {
  return sentAt.value !== null && (documentState.value?.done.length ?? 0) > sentAt.value;
}

export function avatarPanel(stage: Stage, background: Background): TemplateResult {
  const use = (picture: HTMLCanvasElement) => usePhoto(stage, picture);
  if (!photo.value)
    return html`<p>
        Take a photo of yourself, or of a friend: the puppet gets the pose and the clothes.
      </p>
      <div class="stages-buttons">
        <label class="button main"
          >Take a photo<input
            type="file"
            accept="image/*"
            capture="user"
            @change=${(event: Event) => void useFile(event, use)}
        /></label>
        <label class="button"
          >Choose a picture<input
            type="file"
            accept="image/*"
            @change=${(event: Event) => void useFile(event, use)}
        /></label>
        ${
          isLive.value
            ? html`<button @click=${() => use(background.snapshot())}>Use this view</button>`
            : nothing
        }
        <button @click=${() => use(drawFigure())}>Drawn figure</button>
      </div>`;
  return html`<p>
      Drag each joint to its place. Tap one that points away from the camera to mark it.
    </p>
    ${photoWithJoints()}
    <div class="stages-buttons">
      <button @click=${() => (photo.value = null)}>Another photo</button>
      <button class="main" ?disabled=${!canSend()} @click=${makeAvatar}>Make avatar</button>
    </div>`;
}

async function useFile(event: Event, use: (picture: HTMLCanvasElement) => void): Promise<void> {
  const file = (event.target as HTMLInputElement).files?.[0];
  const bitmap = file && (await createImageBitmap(file).catch(() => null));
  if (bitmap) use(scaled(bitmap));
  else if (file) toast("This file is no picture.", "warning");
}

function usePhoto(stage: Stage, picture: HTMLCanvasElement): void {
  const rig = rigOf(character.peek());
  const placed = rig && placedAt(rig, 0);
  if (!rig || !placed) return toast("The character is still loading.", "info");
  marks.value = firstMarks(rig, placed, stage.opening.facing, [picture.width, picture.height]);
  flipped.value = new Set();
  address.value = picture.toDataURL("image/jpeg", 0.8);
  photo.value = picture;
}

function photoWithJoints(): TemplateResult {
  const { width, height } = photo.value!;
  const rig = rigOf(character.value);
  const now = marks.value;
  const unit = Math.max(width, height) / 100;
  return html`<svg class="stages-photo" viewBox="0 0 ${width} ${height}" aria-label="Photo">
    ${svg`<image href=${address.value} width=${width} height=${height} />
    ${(rig ? bonesBetween(rig, now) : []).map(
      ([a, b]) =>
        svg`<line x1=${now[a]![0]} y1=${now[a]![1]} x2=${now[b]![0]} y2=${now[b]![1]} stroke-width=${0.7 * unit} />`,
    )}
    ${Object.entries(now).map(
      ([name, [x, y]]) =>
        svg`<circle cx=${x} cy=${y} r=${2 * unit} stroke-width=${0.6 * unit} data-joint=${name}
          data-flipped=${flipped.value.has(name)} @pointerdown=${(event: PointerEvent) => dragJoint(event, name)}><title>${name}</title></circle>`,
    )}`}
  </svg>`;
}

function dragJoint(event: PointerEvent, name: string): void {
  event.preventDefault();
  const circle = event.target as SVGCircleElement;
  const toPhoto = circle.ownerSVGElement!.getScreenCTM()!.inverse();
  const [x, y] = marks.peek()[name]!;
  const from = new DOMPoint(event.clientX, event.clientY).matrixTransform(toPhoto);
  circle.setPointerCapture(event.pointerId);
  circle.onpointermove = (moved) => {
    const to = new DOMPoint(moved.clientX, moved.clientY).matrixTransform(toPhoto);
    const place: Vec2 = [x + to.x - from.x, y + to.y - from.y];
    marks.value = { ...marks.peek(), [name]: place };
  };
  circle.onpointerup = circle.onpointercancel = (up) => {
    circle.onpointermove = circle.onpointerup = circle.onpointercancel = null;
    if (Math.hypot(up.clientX - event.clientX, up.clientY - event.clientY) < TAP) flip(name);
  };
}

/** In depth: which side of the joint above it lies on. */
function flip(name: string): void {
  const now = new Set(flipped.peek());
  if (!now.delete(name)) now.add(name);
  flipped.value = now;
}

function canSend(): boolean {
  return take.value !== "" && (sentAt.value === null || isAvatarMade());
}

function makeAvatar(): void {
  const picture = photo.peek();
  if (!picture || !mayEdit()) return;
  const pixels = picture.getContext("2d")!.getImageData(0, 0, picture.width, picture.height);
  sentAt.value = documentState.peek()?.done.length ?? 0;
  send({
    type: "ApplyChange",
    change: {
      change: "MakeAvatar",
      character: character.peek(),
      take: take.peek(),
      marks: marks.peek(),
      pixels: clothingPixels(pixels, marks.peek()),
      flipped: [...flipped.peek()],
    },
  });
}
