// The strip at the foot of the viewport: channels without a place over one period, dragged up and down.

import { signal } from "@preact/signals-core";
import { html, nothing, svg, type TemplateResult } from "lit-html";
import { draw, placeIn } from "../controls/draw";
import { frameLabel } from "../controls/pointText";
import { number } from "../controls/text";
import { ChannelDrag } from "../gestures/channelDrag";
import { commitOpen } from "../state/interaction";
import { activeTool } from "../tools/shared/registry";
import { viewOnly } from "../wire/role";
import { activeGesture } from "../viewport/activeGesture";
import { axisColour, colours } from "../timeline/colours";
import {
  keysWithin,
  playhead,
  samples,
  strip,
  stripSpan,
  type Strip,
  type StripCurve,
} from "../timeline/channelStrip";
import { valueAt } from "../timeline/curve";
import { partOf } from "../timeline/rows";
import { rig, unitOf } from "../timeline/sheetState";
import { rate } from "../state/view";
import "../style/strip.css";

const HEIGHT = 92; // px
const FOOT = 12; // px below the curves, for ticks

interface Aimed {
  curve: StripCurve;
  frame: number;
}

const width = signal(600); // px
const aimed = signal<Aimed | null>(null);
let drag: ChannelDrag | null = null;

export function buildChannelStrip(stage: HTMLElement): void {
  const place = placeIn(stage, "channel-strip");
  new ResizeObserver(() => (width.value = place.clientWidth || 600)).observe(place);
  place.addEventListener("pointerdown", (event) => press(place, event));
  place.addEventListener("pointermove", (event) => move(place, event));
  place.addEventListener("pointerup", () => release());
  place.addEventListener("pointercancel", () => drag?.cancel());
  place.addEventListener("pointerleave", () => (aimed.value = drag ? aimed.peek() : null));
  place.addEventListener("wheel", (event) => {
    event.preventDefault();
    drag?.adjust("reach", event.deltaY < 0 ? 1 : -1);
  });
  draw(place, () => {
    const now = strip.value;
    stage.style.setProperty("--strip", now ? `${HEIGHT}px` : "0px");
    place.hidden = now === null;
    return now ? drawn(now) : html``;
  });
}

const xOf = (now: Strip, frame: number) => (frame / now.frames) * width.value;
const yOf = (now: Strip, value: number) =>
  ((now.high - value) / (now.high - now.low)) * (HEIGHT - FOOT);

function drawn(now: Strip): TemplateResult {
  const at = aimed.value;
  return html`<svg width=${width.value} height=${HEIGHT} aria-label="Loop of the chosen channels">
      ${at ? span(now, at.frame) : nothing}${ticks(now)}${now.curves.map((each) => line(now, each))}
      <line
        class="playhead"
        x1=${xOf(now, playhead())}
        x2=${xOf(now, playhead())}
        y1="0"
        y2=${HEIGHT}
      />
      ${at ? mark(now, at) : nothing}
    </svg>
    <div class="strip-names">
      ${now.curves.map(
        (each) => html`<span><i style="background:${colourOf(each)}"></i>${each.label}</span>`,
      )}
      ${at ? html`<span class="figures">${text(at)}</span>` : nothing}
    </div>`;
}

/** What of the loop a drag there would change, brighter while it is dragged. */
function span(now: Strip, frame: number) {
  const [from, to] = stripSpan(frame) ?? [frame, frame];
  const pieces = [-now.frames, 0, now.frames].map((by) => [from + by, to + by] as const);
  return pieces.map(([a, b]) => {
    const [left, right] = [Math.max(a, 0), Math.min(b, now.frames)];
    if (right <= left) return nothing;
    const x = xOf(now, left);
    return svg`<rect class="span" x=${x} width=${xOf(now, right) - x} y="0" height=${HEIGHT - FOOT} />`;
  });
}

function ticks(now: Strip) {
  const apart = width.value / now.frames;
  const step = apart >= 4 ? 1 : apart >= 1 ? 5 : 25;
  const count = Math.floor(now.frames / step + 1e-6);
  return Array.from({ length: count + 1 }, (_, i) => {
    const x = xOf(now, i * step);
    const long = (i * step) % 5 === 0;
    return svg`<line class="tick" x1=${x} x2=${x} y1=${HEIGHT - (long ? 9 : 5)} y2=${HEIGHT} />`;
  });
}

function line(now: Strip, each: StripCurve) {
  const values = samples(each.curve, now.frames);
  const last = values.length - 1;
  const points = values
    .map((value, i) => `${((i / last) * width.value).toFixed(1)},${yOf(now, value).toFixed(1)}`)
    .join(" ");
  return svg`<polyline points=${points} style="stroke:${colourOf(each)}" />${keysWithin(
    each.curve,
    now.frames,
  ).map(
    ([at, value]) => svg`<circle class="key" cx=${xOf(now, at)} cy=${yOf(now, value)} r="3.2" />`,
  )}`;
}

function mark(now: Strip, { curve, frame }: Aimed) {
  const y = yOf(now, valueAt(curve.curve, frame / rate.value));
  return svg`<circle class="aimed" cx=${xOf(now, frame)} cy=${y} r="5" />`;
}

function text({ curve, frame }: Aimed): string {
  const { factor, sign } = unitOf(curve.channel);
  const value = factor * valueAt(curve.curve, frame / rate.value);
  return `${frameLabel(frame)} · ${number(value, sign === "°" ? 1 : 2)}${sign}`;
}

function colourOf({ channel }: StripCurve): string {
  const own = rig.value;
  return axisColour(colours.value, own ? partOf(own, channel) : "");
}

/** The curve nearest to the pointer, at the nearest frame. */
function under(place: HTMLElement, event: PointerEvent): Aimed | null {
  const now = strip.peek();
  if (!now) return null;
  const edge = place.getBoundingClientRect();
  const share = Math.min(Math.max((event.clientX - edge.left) / width.peek(), 0), 1);
  const frame = Math.round(share * now.frames);
  const away = ({ curve }: StripCurve) =>
    Math.abs(yOf(now, valueAt(curve, frame / rate.peek())) - (event.clientY - edge.top));
  const curve = [...now.curves].sort((a, b) => away(a) - away(b))[0];
  return curve ? { curve, frame } : null;
}

function press(place: HTMLElement, event: PointerEvent): void {
  const now = strip.peek();
  const at = under(place, event);
  if (!now || !at || event.button !== 0 || viewOnly.peek() || activeGesture.peek()) return;
  event.preventDefault();
  commitOpen();
  place.setPointerCapture(event.pointerId);
  aimed.value = at;
  drag = new ChannelDrag(
    {
      tool: activeTool().name,
      channel: at.curve.path,
      frame: at.frame,
      value: valueAt(at.curve.curve, at.frame / rate.peek()),
      perPixel: (now.high - now.low) / (HEIGHT - FOOT),
    },
    { x: event.clientX, y: event.clientY },
  );
}

function move(place: HTMLElement, event: PointerEvent): void {
  if (drag && activeGesture.peek() === drag) {
    drag.to([{ x: event.clientX, y: event.clientY }], event.shiftKey);
    const now = strip.peek()?.curves.find((each) => each.path === drag?.from.channel);
    if (now) aimed.value = { curve: now, frame: drag.from.frame };
  } else if (!drag) aimed.value = under(place, event);
}

function release(): void {
  if (drag && activeGesture.peek() === drag) drag.commit();
  drag = null;
}
