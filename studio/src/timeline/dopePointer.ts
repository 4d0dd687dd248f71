// Pointer input on the dope sheet.

import { layerMenu } from "../controls/layerMenu";
import { sentence } from "../controls/text";
import {
  character,
  chosenChannels,
  chosenKeys,
  selectedConstraint,
  points,
  rate,
} from "../state/view";
import type { Bar } from "./row";
import { choose, chooseAll, isChosen, toggle } from "./keySelection";
import { keysIn } from "./columns";
import { hitDope, keysInBox, type DopeHit, type DopeView } from "./dopeHit";
import { drawBox, dragBar, pan } from "./dragging";
import { dragEvent, eventHover, eventMenu, goToEvent } from "./eventDrag";
import type { Press } from "./gesture";
import { dragProposal, proposalHover, proposalMenu } from "./proposalDrag";
import { dragKeyBorder } from "./keyBorderDrag";
import { chooseBarOf, layerText, nameLayer, toggleEye } from "./layerBars";
import { keyMenu, barMenu } from "./menus";
import { moveKeys } from "./moveKeys";
import type { Row } from "./row";
import type { Sheet } from "./sheet";
import {
  axis,
  columnsFor,
  layersOpen,
  openRows,
  rig,
  rows,
  scroll,
  size,
  type Hover,
} from "./sheetState";
import { borderAt } from "./toolSpans";
import { frameText } from "./frameText";

export function dopeView(): DopeView {
  return {
    rows: rows.value,
    columns: columnsFor,
    axis: axis.value,
    rate: rate.value,
    scroll: scroll.value,
  };
}

export const dopePointer: Sheet = {
  press(x, y, modifiers) {
    const border = borderAt(x, y, size.peek().height);
    if (border !== null) return { drag: () => dragKeyBorder(x, border) };
    const hit = hitDope(dopeView(), x, y);
    if (hit.part === "name") return pressName(hit, modifiers.shift, x, y);
    if (hit.part === "key") return pressKey(hit, x, y, modifiers.shift);
    if (hit.part === "bar") return pressBar(hit, x);
    if (hit.part === "event")
      return { click: () => goToEvent(hit.event), drag: () => dragEvent(x, hit.event) };
    if (hit.part === "proposal")
      return { click: () => goToEvent(hit.proposal), drag: () => dragProposal(x, hit.proposal) };
    if (hit.part === "eye") return { click: () => toggleEye(hit.layer) };
    if (hit.part === "layer")
      return { click: () => chooseBarOf(hit.layer), drag: () => pan(x, y, false) };
    return pressEmpty(x, y, modifiers.shift);
  },
  hover(x, y) {
    const border = borderAt(x, y, size.peek().height);
    if (border !== null) return { hover: borderHover(border, x, y), cursor: "ew-resize" };
    const hit = hitDope(dopeView(), x, y);
    return { hover: hoverOf(hit, x, y), cursor: cursorOf(hit) };
  },
  twice(x, y) {
    const hit = hitDope(dopeView(), x, y);
    if (hit.part === "layer") nameLayer(hit.layer);
    else if (hit.part === "name" && !hit.arrow) chooseAll(hit.row.channels);
  },
  menu(x, y) {
    const hit = hitDope(dopeView(), x, y);
    if (hit.part === "bar") {
      chooseBar(hit.bar);
      return barMenu(hit.bar);
    }
    if (hit.part === "event") return eventMenu(hit.event);
    if (hit.part === "proposal") return proposalMenu(hit.proposal);
    if (hit.part === "layer" || hit.part === "eye") return layerMenu(hit.layer.index);
    if (hit.part === "key") {
      const keys = keysIn(columnsFor(hit.row), hit.column);
      if (!isChosen(keys)) choose(keys);
    }
    return keyMenu();
  },
};

function pressName(hit: DopeHit & { part: "name" }, add: boolean, x: number, y: number): Press {
  const click = () => {
    if (hit.arrow || hit.row.kind === "layers") openOrClose(hit.row);
    else if (hit.row.bars[0]?.kind === "constraint") chooseBar(hit.row.bars[0]);
    else if (hit.row.joint >= 0) chooseRow(hit.row, add);
  };
  return { click, drag: () => pan(x, y, false) };
}

function openOrClose(row: Row): void {
  if (row.kind === "layers") {
    layersOpen.value = !row.open;
    return;
  }
  const open = new Set(openRows.peek());
  if (!open.delete(row.id)) {
    open.add(row.id);
    const groups = new Set(
      row.channels.map((each) => rig.peek()?.channels[each]?.kind.split("_")[0]),
    );
    if (row.kind === "joint" && groups.size === 1) open.add(`${row.id} ${[...groups][0]}`); // nothing to choose from
  }
  openRows.value = open;
}

function chooseRow(row: Row, add: boolean): void {
  const joint = rig.peek()?.joints[row.joint];
  if (joint === undefined) return;
  const shown = points.peek().some((point) => point.joint === joint);
  if (row.kind === "joint" || !shown) {
    const point = { joint, character: character.peek() };
    points.value = add ? [...points.peek().filter((each) => each.joint !== joint), point] : [point];
  }
  if (row.kind === "group" || row.kind === "channel")
    chosenChannels.value = new Set([...(add ? chosenChannels.peek() : []), ...row.channels]);
}

function pressKey(hit: DopeHit & { part: "key" }, x: number, y: number, add: boolean): Press {
  const keys = keysIn(columnsFor(hit.row), hit.column);
  const anchor = keys[0];
  return {
    click() {
      selectedConstraint.value = null;
      if (add) toggle(keys);
      else choose(keys);
    },
    drag() {
      if (!isChosen(keys)) choose(keys, add);
      return anchor ? moveKeys(x, y, anchor, false) : null;
    },
  };
}

function chooseBar(bar: Bar): void {
  selectedConstraint.value = { kind: bar.kind, index: bar.index };
  chosenKeys.value = new Set();
}

function pressBar(hit: DopeHit & { part: "bar" }, x: number): Press {
  return {
    click: () => chooseBar(hit.bar),
    drag() {
      chooseBar(hit.bar);
      return dragBar(x, hit.bar, hit.end);
    },
  };
}

function pressEmpty(x: number, y: number, add: boolean): Press {
  return {
    click() {
      if (add) return;
      chosenKeys.value = new Set();
      selectedConstraint.value = null;
    },
    drag: () => drawBox(x, y, (box) => choose(keysInBox(dopeView(), box), add)),
  };
}

function borderHover(time: number, x: number, y: number): Hover {
  return { text: `Key at frame ${frameText(time * rate.peek())}: drag it in time`, x, y };
}

function cursorOf(hit: DopeHit): string {
  if (hit.part === "bar") return hit.end === "middle" ? "grab" : "ew-resize";
  if (hit.part === "event" || hit.part === "proposal") return "ew-resize";
  const pressed = hit.part === "key" || hit.part === "layer" || hit.part === "eye";
  return pressed ? "pointer" : "default";
}

function hoverOf(hit: DopeHit, x: number, y: number): Hover | null {
  if (hit.part === "bar") {
    const { kind, index, start, end, name } = hit.bar;
    const [from, to] = [start, end].map((time) => frameText(time * rate.peek()));
    return { text: `${name}: frames ${from}–${to}`, x, y, bar: { kind, index, end: hit.end } };
  }
  if (hit.part === "layer" || hit.part === "eye")
    return { text: layerText(hit), x, y, layer: hit.layer.index };
  if (hit.part === "event") return { text: eventHover(hit.event), x, y, event: hit.event.index };
  if (hit.part === "proposal")
    return { text: proposalHover(hit.proposal), x, y, proposal: hit.proposal.key };
  if (hit.part === "section") {
    const { name, start, end } = hit.section;
    const [from, to] = [start, end].map((time) => frameText(Math.round(time * rate.peek())));
    return { text: `${sentence(name)}: frames ${from}–${to}`, x, y };
  }
  if (hit.part !== "key") return null;
  const columns = columnsFor(hit.row);
  const time = columns.times[hit.column] as number;
  const count = keysIn(columns, hit.column).length;
  const many = count > 1 ? `, ${count} keys` : "";
  return {
    text: `${hit.row.label}, frame ${frameText(time * rate.peek())}${many}`,
    x,
    y,
    column: { row: hit.row.id, time },
  };
}
