// The timeline: transport row, ruler, dope sheet and graph editor.

import { pointConstraints } from "../state/pinsAndContacts";
import { effect } from "@preact/signals-core";
import { html } from "lit-html";
import { counted } from "../controls/text";
import { draw, placeIn } from "../controls/draw";
import { documentState, toasts } from "../state/document";
import { draggedEvent } from "../state/activities";
import { committing, interaction } from "../state/interaction";
import { constraintsHere } from "../state/constraints";
import { footplantsHere } from "../state/footplants";
import { selectedConstraint, kept, sheet } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import { buildChannelList } from "./channelList";
import { startFollowing } from "./keySelection";
import { watchColours } from "./colours";
import { startKeepingChanges } from "./lastChange";
import { startDrawing } from "./drawing";
import { startFraming, startRevealing } from "./framing";
import { addKeyCommands } from "./keyCommands";
import { startPointer } from "./pointer";
import { buildSamplesNote } from "./bakedNote";
import { icon } from "./icons";
import { chosenJoints, draggedBar, hover, selectedOnly, takeInfo } from "./sheetState";
import { buildSoundStrip } from "./soundStrip";
import { buildSplitter } from "./splitter";
import { addTimeCommands } from "./timeCommands";
import { keepInsideTake } from "./timing";
import { buildTransport } from "./transport";
import "./sound.css";
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
  buildSoundStrip(place);
  draw(corner, cornerButtons);
  buildChannelList(list);
  buildSamplesNote(body);
  effect(() => {
    body.dataset["sheet"] = sheet.value;
  });
  effect(() => {
    void documentState.value; // the document has the bar now,
    void toasts.value; // or something went wrong with it
    draggedBar.value = null;
    hover.value = null; // what it named may be gone
  });
  effect(() => {
    if (!interaction.value && committing.value.size === 0) draggedEvent.value = null;
  });
  effect(() => {
    const pointConstraint = selectedConstraint.value;
    const all: { kind: string; index: number }[] = [...pointConstraints.value, ...footplantsHere()];
    all.push(...constraintsHere().map(({ index }) => ({ kind: "constraint", index })));
    const known = all.some(
      (each) => each.kind === pointConstraint?.kind && each.index === pointConstraint.index,
    );
    if (pointConstraint && !known) selectedConstraint.value = null;
  });
  foldWithoutTakes(place);
  startFollowing();
  keepInsideTake();
  startFraming();
  startRevealing();
  startKeepingChanges();
}

/** Where nothing moves there is nothing to play and to key: what can record a take stays. */
function foldWithoutTakes(place: HTMLElement): void {
  effect(() => {
    const takes = Object.values(documentState.value?.takes ?? {});
    const none = documentState.value !== null && takes.every((own) => own.length === 0);
    place.dataset["empty"] = none ? (activeTool().makesTakes ? "records" : "all") : "";
  });
}

function cornerButtons() {
  const none = chosenJoints.value.size === 0;
  const keys = takeInfo.value?.keys ?? 0;
  return html`<span class="quiet" title="Keys of this take">${counted(keys, "key")}</span>
    <button
      class="plain toggle"
      aria-pressed=${selectedOnly.value}
      ?disabled=${none}
      title="Only selected"
      @click=${() => (selectedOnly.value = !selectedOnly.peek())}
    >
      ${icon("filter")}<span>Selected</span>
    </button>`;
}
