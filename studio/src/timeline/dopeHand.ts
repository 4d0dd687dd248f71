// Hands on the dope sheet.

import { layerMenu } from "../panels/layers";
import { character, chosenChannels, chosenKeys, chosenWish, points, rate } from "../state/view";
import type { Barred } from "./boundRows";
import { choose, chooseAll, isChosen, toggle } from "./choose";
import { keysIn } from "./columns";
import { hitDope, keysInBox, type DopeHit, type DopeView } from "./dopeHit";
import { drawBox, dragWish, pan } from "./dragging";
import type { Press } from "./gesture";
import { chooseBarOf, layerWords, nameLayer, toggleEye } from "./layerHand";
import { keyMenu, wishMenu } from "./menus";
import { moveKeys } from "./moveKeys";
import type { Row } from "./rows";
import type { Sheet } from "./sheet";
import { axis, columnsFor, layersOpen, openRows, rig, rows, scroll, type Hover } from "./shown";
import { frameText } from "./words";

export function dopeView(): DopeView {
  return {
    rows: rows.value,
    columns: columnsFor,
    axis: axis.value,
    rate: rate.value,
    scroll: scroll.value,
  };
}

export const dopeHand: Sheet = {
  press(x, y, held) {
    const hit = hitDope(dopeView(), x, y);
    if (hit.part === "name") return pressName(hit, held.shift, x, y);
    if (hit.part === "key") return pressKey(hit, x, y, held.shift);
    if (hit.part === "wish") return pressWish(hit, x);
    if (hit.part === "eye") return { click: () => toggleEye(hit.layer) };
    if (hit.part === "layer")
      return { click: () => chooseBarOf(hit.layer), drag: () => pan(x, y, false) };
    return pressEmpty(x, y, held.shift);
  },
  hover(x, y) {
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
    if (hit.part === "wish") {
      chooseBar(hit.wish);
      return wishMenu(hit.wish);
    }
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
    else if (hit.row.wishes[0]?.kind === "constraint") chooseBar(hit.row.wishes[0]);
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
    const spot = { joint, character: character.peek() };
    points.value = add ? [...points.peek().filter((point) => point.joint !== joint), spot] : [spot];
  }
  if (row.kind === "group" || row.kind === "channel")
    chosenChannels.value = new Set([...(add ? chosenChannels.peek() : []), ...row.channels]);
}

function pressKey(hit: DopeHit & { part: "key" }, x: number, y: number, add: boolean): Press {
  const keys = keysIn(columnsFor(hit.row), hit.column);
  const anchor = keys[0];
  return {
    click() {
      chosenWish.value = null;
      if (add) toggle(keys);
      else choose(keys);
    },
    drag() {
      if (!isChosen(keys)) choose(keys, add);
      return anchor ? moveKeys(x, y, anchor, false) : null;
    },
  };
}

function chooseBar(wish: Barred): void {
  chosenWish.value = { kind: wish.kind, index: wish.index };
  chosenKeys.value = new Set();
}

function pressWish(hit: DopeHit & { part: "wish" }, x: number): Press {
  return {
    click: () => chooseBar(hit.wish),
    drag() {
      chooseBar(hit.wish);
      return dragWish(x, hit.wish, hit.end);
    },
  };
}

function pressEmpty(x: number, y: number, add: boolean): Press {
  return {
    click() {
      if (add) return;
      chosenKeys.value = new Set();
      chosenWish.value = null;
    },
    drag: () => drawBox(x, y, (box) => choose(keysInBox(dopeView(), box), add)),
  };
}

function cursorOf(hit: DopeHit): string {
  if (hit.part === "wish") return hit.end === "middle" ? "grab" : "ew-resize";
  const pressed = hit.part === "key" || hit.part === "layer" || hit.part === "eye";
  return pressed ? "pointer" : "default";
}

function hoverOf(hit: DopeHit, x: number, y: number): Hover | null {
  if (hit.part === "wish") {
    const { kind, index, start, end, name } = hit.wish;
    const [from, to] = [start, end].map((time) => frameText(time * rate.peek()));
    return { text: `${name}: frames ${from}–${to}`, x, y, wish: { kind, index, end: hit.end } };
  }
  if (hit.part === "layer" || hit.part === "eye")
    return { text: layerWords(hit), x, y, layer: hit.layer.index };
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
