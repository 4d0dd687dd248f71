// The sound under the sheets: its waveform, dragged in time; its name, and whether it is muted.

import { computed, effect } from "@preact/signals-core";
import { html, nothing } from "lit-html";
import { draw, placeIn } from "../controls/draw";
import { openMenu, type MenuItem } from "../controls/menu";
import { run } from "../state/commands";
import {
  draggedStart,
  moveSound,
  muteSound,
  scrubs,
  sound,
  soundBuffer,
  soundStart,
} from "../state/sound";
import { frame, playing, rate, snap, uiScale } from "../state/view";
import { mayEdit, viewOnly } from "../wire/role";
import { frameOf, xOf } from "./axis";
import { colours, faded } from "./colours";
import { frameText } from "./frameText";
import { Way } from "./gesture";
import { icon } from "./icons";
import { axis, size } from "./sheetState";
import { surface, upright, type Surface } from "./surface";
import { drawWaveform, Peaks } from "./waveform";

const FAR = 3; // px until a press is a drag

const peaks = computed(() => {
  const buffer = soundBuffer.value;
  if (!buffer) return null;
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, i) =>
    buffer.getChannelData(i),
  );
  return new Peaks(channels, buffer.sampleRate);
});

export function buildSoundStrip(place: HTMLElement): void {
  const strip = placeIn(place, "sound-strip");
  draw(placeIn(strip, "sound-name"), name);
  const made = surface(strip, "waveform");
  made.canvas.title = "Drag the sound in time; Ctrl inverts snapping, Alt is precise";
  let waiting = 0;
  effect(() => {
    strip.hidden = sound.value === null;
    void [size.value, colours.value, peaks.value, axis.value, soundStart.value];
    void [frame.value, playing.value, rate.value, sound.value, uiScale.value];
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      if (sound.peek()) paint(made);
    });
  });
  made.canvas.addEventListener("pointerdown", press);
  made.canvas.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    openMenu(items(), event.clientX, event.clientY);
  });
}

function name() {
  const info = sound.value;
  if (!info) return nothing;
  const failed = soundBuffer.value === null;
  return html`<span class="sound-label" title=${info.name}>${info.name}</span>
    <button
      class="plain tiny"
      aria-pressed=${info.muted}
      aria-label="Mute sound"
      title=${info.muted ? "Unmute" : "Mute"}
      ?disabled=${viewOnly.value || failed}
      @click=${() => mayEdit() && muteSound(!info.muted)}
    >
      ${icon(info.muted ? "muted" : "sound")}
    </button>
    <button
      class="plain tiny"
      aria-label="More for the sound"
      title="More"
      @click=${(event: MouseEvent) => openMenu(items(), event.clientX, event.clientY)}
    >
      ⋯
    </button>`;
}

function items(): MenuItem[] {
  const enabled = !viewOnly.peek();
  const at = Math.round(frame.peek());
  return [
    {
      label: `Begin at frame ${at}`,
      enabled,
      run: () => moveSound(at / rate.peek()),
    },
    { label: "Begin with the take", enabled, run: () => moveSound(0) },
    {
      label: "Heard while scrubbing",
      line: true,
      checked: scrubs.peek(),
      run: () => (scrubs.value = !scrubs.peek()),
    },
    {
      label: "Mute",
      enabled,
      checked: sound.peek()?.muted ?? false,
      run: () => muteSound(!sound.peek()?.muted),
    },
    { label: "Replace…", line: true, enabled, run: () => run("sound.add") },
    { label: "Remove", enabled, run: () => run("sound.remove") },
  ];
}

/** Drags the sound; a press that does not move goes to that frame. */
function press(event: PointerEvent): void {
  const buffer = soundBuffer.peek();
  if (event.button !== 0 || !buffer) return;
  const canvas = event.currentTarget as HTMLCanvasElement;
  const way = new Way(event.clientX, 0);
  const from = soundStart.peek() * rate.peek();
  let dragged = false;
  const move = (moved: PointerEvent) => {
    if (!dragged && Math.abs(moved.clientX - event.clientX) < FAR) return;
    if (!dragged && !mayEdit()) return end();
    dragged = true;
    way.go(moved.clientX, 0, { shift: moved.altKey, ctrl: false });
    const frames = from + way.dx / uiScale.peek() / axis.peek().perFrame;
    const whole = snap.peek() !== moved.ctrlKey;
    draggedStart.value = (whole ? Math.round(frames) : frames) / rate.peek();
  };
  const key = (pressed: KeyboardEvent) => {
    if (pressed.key !== "Escape") return;
    pressed.stopImmediatePropagation();
    draggedStart.value = null;
    end();
  };
  const end = () => {
    canvas.removeEventListener("pointermove", move);
    removeEventListener("keydown", key, true);
  };
  const release = () => {
    end();
    const start = draggedStart.peek();
    if (start !== null) moveSound(start);
    else if (!dragged) frame.value = Math.max(Math.round(frameUnder(event, canvas)), 0);
  };
  canvas.setPointerCapture(event.pointerId);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("lostpointercapture", release, { once: true });
  addEventListener("keydown", key, true);
}

function frameUnder(event: PointerEvent, canvas: HTMLElement): number {
  const x = event.clientX - canvas.getBoundingClientRect().left;
  return frameOf(axis.peek(), x / uiScale.peek());
}

/** What the strip shows: the waveform from where it begins, the playhead, and how far it is dragged. */
function paint(made: Surface): void {
  const c = made.begin();
  const theme = colours.peek();
  const { clientWidth: width, clientHeight: height } = made.canvas;
  const [start, perSecond] = [soundStart.peek(), rate.peek()];
  const buffer = soundBuffer.peek();
  const from = xOf(axis.peek(), start * perSecond);
  const to = xOf(axis.peek(), (start + (buffer?.duration ?? 0)) * perSecond);
  c.fillStyle = faded(theme.ink, 0.05);
  c.fillRect(Math.max(from, 0), 2, Math.min(to, width) - Math.max(from, 0), height - 4);
  c.fillStyle = sound.peek()?.muted ? theme.edge : faded(theme.ink, 0.7);
  const timeAt = (x: number) => frameOf(axis.peek(), x) / perSecond - start;
  const shown = peaks.peek();
  if (shown)
    drawWaveform(c, shown, {
      from: Math.max(from, 0),
      to: Math.min(to, width),
      timeAt,
      height,
    });
  c.fillStyle = theme.accent;
  const now = playing.peek() ? Math.floor(frame.peek()) : frame.peek();
  upright(c, xOf(axis.peek(), now) - 0.5, 0, height);
  if (draggedStart.peek() === null) return;
  c.font = `11px ${theme.font}`;
  c.textAlign = "left";
  c.fillStyle = theme.ink;
  c.fillText(`frame ${frameText(start * perSecond)}`, Math.max(from, 0) + 6, height / 2);
}

/** Where a time of the take is on the page, over the waveform: for tests. */
export function soundPlace(time: number): [number, number] | null {
  const canvas = document.querySelector(".sound-strip .waveform");
  const edge = canvas?.getBoundingClientRect();
  return edge
    ? [
        edge.left + uiScale.peek() * xOf(axis.peek(), time * rate.peek()),
        edge.top + edge.height / 2,
      ]
    : null;
}
