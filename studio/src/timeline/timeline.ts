// The timeline: transport row, ruler, dope sheet and graph.

import { effect } from "@preact/signals-core";
import { html } from "lit-html";
import { draw, placeIn } from "../panels/draw";
import { story, toasts } from "../state/document";
import { constraintsHere } from "../state/constraints";
import { plantsHere } from "../state/plants";
import { chosenWish, kept, sheet } from "../state/view";
import { buildChannelList } from "./channelList";
import { startFollowing } from "./choose";
import { watchColours } from "./colours";
import { startDrawing } from "./drawing";
import { startFraming } from "./framing";
import { addKeyCommands } from "./keyCommands";
import { startPointer } from "./pointer";
import { buildSamplesNote } from "./samplesNote";
import { sign } from "./signs";
import { chosenJoints, heldWish, selectedOnly, told } from "./shown";
import { buildSplitter } from "./splitter";
import { addTimeCommands } from "./timeCommands";
import { startKeepingInside } from "./timing";
import { buildTransport } from "./transport";
import "./timeline.css";

export function buildTimeline(place: HTMLElement): void {
  place.classList.add("timeline");
  addTimeCommands();
  addKeyCommands();
  watchColours();
  buildSplitter(place, kept("sheetHeight", 236));
  buildTransport(placeIn(place, "transport"));
  const body = placeIn(place, "sheets-body");
  const canvas = startDrawing(body);
  startPointer(canvas);
  const corner = placeIn(body, "corner");
  const list = placeIn(body, "channel-list");
  draw(corner, cornerButtons);
  buildChannelList(list);
  buildSamplesNote(body);
  effect(() => {
    body.dataset["sheet"] = sheet.value;
  });
  effect(() => {
    void story.value; // the document has the bar now,
    void toasts.value; // or something went wrong with it
    heldWish.value = null;
  });
  effect(() => {
    const wish = chosenWish.value;
    const all: { kind: string; index: number }[] = [
      ...(story.value?.point_constraints ?? []),
      ...plantsHere(),
    ];
    all.push(...constraintsHere().map(({ index }) => ({ kind: "constraint", index })));
    const known = all.some((each) => each.kind === wish?.kind && each.index === wish.index);
    if (wish && !known) chosenWish.value = null;
  });
  startFollowing();
  startKeepingInside();
  startFraming();
}

function cornerButtons() {
  const none = chosenJoints.value.size === 0;
  const keys = told.value?.keys ?? 0;
  return html`<span class="quiet" title="Keys of this take">${keys.toLocaleString("en")} keys</span>
    <button
      class="plain toggle"
      aria-pressed=${selectedOnly.value}
      ?disabled=${none}
      title="List the selection only"
      @click=${() => (selectedOnly.value = !selectedOnly.peek())}
    >
      ${sign("filter")}<span>selected</span>
    </button>`;
}
